/** Start, stop and embed a broker: {@link io.millrace.broker.Broker} and its {@link io.millrace.broker.BrokerConfig}. */
@NullMarked
package io.millrace.broker;

import org.jspecify.annotations.NullMarked;
