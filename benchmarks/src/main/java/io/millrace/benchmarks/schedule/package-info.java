/** Timers, task tracking and scheduling beside RxJava and Reactor. */
@NullMarked
package io.millrace.benchmarks.schedule;

import org.jspecify.annotations.NullMarked;
