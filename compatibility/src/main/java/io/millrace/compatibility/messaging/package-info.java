/** Scenarios of publishing and consuming: what programs of Pulsar's Java client see of messages, subscriptions, readers and producers. */
@NullMarked
package io.millrace.compatibility.messaging;

import org.jspecify.annotations.NullMarked;
