/** What the settings of Pulsar's standalone broker, which images are given by their environment, mean here. */
@NullMarked
package io.millrace.cli.standalone;

import org.jspecify.annotations.NullMarked;
