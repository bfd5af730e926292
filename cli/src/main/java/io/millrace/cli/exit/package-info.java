/** How a command ends: what it says in one line when it fails, and the exit codes that scripts rely on. */
@NullMarked
package io.millrace.cli.exit;

import org.jspecify.annotations.NullMarked;
