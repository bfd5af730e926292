/** Races of the engine: messages to a stage against the island's coming to rest. */
@NullMarked
package io.millrace.streams.engine.island;

import org.jspecify.annotations.NullMarked;
