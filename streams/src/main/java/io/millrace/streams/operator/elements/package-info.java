/** Changes, chooses, limits and groups elements, one by one; watches them go by. */
@NullMarked
package io.millrace.streams.operator.elements;

import org.jspecify.annotations.NullMarked;
