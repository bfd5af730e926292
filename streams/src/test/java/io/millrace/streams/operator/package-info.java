/** What every operator must do, and each operator's own behaviour. */
@NullMarked
package io.millrace.streams.operator;

import org.jspecify.annotations.NullMarked;
