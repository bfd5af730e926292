/** What streams fail with, and the cause of a cancellation that has no other. */
@NullMarked
package io.millrace.streams.failure;

import org.jspecify.annotations.NullMarked;
