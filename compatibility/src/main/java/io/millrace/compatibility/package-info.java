/** The catalogue of scenarios, and the program that runs it against two brokers. */
@NullMarked
package io.millrace.compatibility;

import org.jspecify.annotations.NullMarked;
