/** Schedulers: where and when tasks run, with workers that keep their tasks in order and cheap disposal. */
@NullMarked
package io.millrace.streams.schedule;

import org.jspecify.annotations.NullMarked;
