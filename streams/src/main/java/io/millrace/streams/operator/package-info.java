/** The built-in operators, one file each; reached through Source, Flow and Sink. */
@NullMarked
package io.millrace.streams.operator;

import org.jspecify.annotations.NullMarked;
