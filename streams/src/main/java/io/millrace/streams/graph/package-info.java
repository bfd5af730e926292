/**
 * What graphs are made of and what passes through them: graphs, shapes and ports, attributes, supervision, functions
 * that throw, failures, values. It stands on timers alone; everything else in the library stands on it.
 */
@NullMarked
package io.millrace.streams.graph;

import org.jspecify.annotations.NullMarked;
