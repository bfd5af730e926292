/** Scenarios of Pulsar's admin client: each of its methods on success and refused. */
@NullMarked
package io.millrace.compatibility.admin;

import org.jspecify.annotations.NullMarked;
