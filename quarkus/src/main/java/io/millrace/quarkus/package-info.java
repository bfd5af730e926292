/** A Millrace broker for Quarkus' tests: {@link io.millrace.quarkus.WithMillrace}. */
@NullMarked
package io.millrace.quarkus;

import org.jspecify.annotations.NullMarked;
