/** For people who write stages: ports, handlers, callbacks, timers. */
@NullMarked
package io.millrace.streams.stage;

import org.jspecify.annotations.NullMarked;
