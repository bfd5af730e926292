/** Scenarios that are programs of other languages than Java, and values that languages send to each other. */
@NullMarked
package io.millrace.compatibility.language;

import org.jspecify.annotations.NullMarked;
