/** What streams keep, and what they must not, tested through their public face. */
@NullMarked
package io.millrace.streams.memory;

import org.jspecify.annotations.NullMarked;
