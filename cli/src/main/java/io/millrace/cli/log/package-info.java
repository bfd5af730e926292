/**
 * Lines of the log, on stderr: a provider of slf4j, as the one of slf4j-simple finds out about calendars, languages and number formats for the
 * date of lines that a start does not write, which takes a tenth of it.
 */
@NullMarked
package io.millrace.cli.log;

import org.jspecify.annotations.NullMarked;
