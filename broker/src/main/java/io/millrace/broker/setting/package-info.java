/** What the configuration file may say, each thing described once, and the values that a file gives. */
@NullMarked
package io.millrace.broker.setting;

import org.jspecify.annotations.NullMarked;
