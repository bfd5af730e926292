/** What every operator must do, and each operator's own behaviour. */
@NullMarked
package io.millrace.testkit.operators;

import org.jspecify.annotations.NullMarked;
