/** What a dispatcher keeps of the entries it has sent, beside the structures of others. */
@NullMarked
package io.millrace.benchmarks.dispatch;

import org.jspecify.annotations.NullMarked;
