/**
 * Dispatchers: one stage per subscription, the single owner of its consumers, permits, pending acknowledgements and
 * redeliveries.
 */
@NullMarked
package io.millrace.broker.dispatch;

import org.jspecify.annotations.NullMarked;
