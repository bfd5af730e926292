/** The command line: {@code millrace serve}, {@code standalone}, {@code produce}, {@code consume}, {@code check}, {@code backup} and {@code completion}; those of {@link io.millrace.cli.admin} are below, and what Pulsar's settings mean is in {@link io.millrace.cli.standalone}. {@link io.millrace.cli.Main} knows the verbs, each a class of its own. */
@NullMarked
package io.millrace.cli;

import org.jspecify.annotations.NullMarked;
