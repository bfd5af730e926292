/** Scenarios of schemas: types, versions, which change is taken, and what readers of other versions get. */
@NullMarked
package io.millrace.compatibility.schema;

import org.jspecify.annotations.NullMarked;
