/** The command line: {@code millrace serve}, {@code produce} and {@code consume}. */
@NullMarked
package io.millrace.cli;

import org.jspecify.annotations.NullMarked;
