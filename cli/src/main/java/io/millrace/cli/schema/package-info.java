/** Schemas as commands use them: messages are read by the version that they were written with, and two versions are compared. Their classes are loaded by what uses them alone. */
@NullMarked
package io.millrace.cli.schema;

import org.jspecify.annotations.NullMarked;
