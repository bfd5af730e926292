/**
 * The built-in operators, one file each, by theme as in {@code docs/operators}; reached through Source, Flow and Sink. What
 * lives here itself is what operators of several themes are made with: stages of one inlet and one outlet, failures of
 * futures, what waits, what was added up.
 */
@NullMarked
package io.millrace.streams.operator;

import org.jspecify.annotations.NullMarked;
