/** What the stream engine must do, tested through its public face. */
@NullMarked
package io.millrace.testkit.engine;

import org.jspecify.annotations.NullMarked;
