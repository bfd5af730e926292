/** What a scenario is, what it is given, and how it is run. */
@NullMarked
package io.millrace.compatibility.scenario;

import org.jspecify.annotations.NullMarked;
