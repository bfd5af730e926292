/** What a benchmark is, and what is made of its figures: a table, ratios, JSON. */
@NullMarked
package io.millrace.benchmarks.report;

import org.jspecify.annotations.NullMarked;
