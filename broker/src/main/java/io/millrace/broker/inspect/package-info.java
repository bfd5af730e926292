/** What clients have open at one moment. */
@NullMarked
package io.millrace.broker.inspect;

import org.jspecify.annotations.NullMarked;
