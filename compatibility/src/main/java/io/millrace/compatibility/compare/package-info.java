/** Transcripts in files, what two of them differ in, and which differences are intended. */
@NullMarked
package io.millrace.compatibility.compare;

import org.jspecify.annotations.NullMarked;
