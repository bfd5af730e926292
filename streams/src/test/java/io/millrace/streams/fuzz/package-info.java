/** Random graphs run by the library, beside the same graphs run by a plain interpreter of lists. */
@NullMarked
package io.millrace.streams.fuzz;

import org.jspecify.annotations.NullMarked;
