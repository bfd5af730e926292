package io.millrace.broker;

import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.ClientBuilder;
import org.apache.pulsar.client.api.PulsarClient;

/** The unmodified Java client, without its statistics, which need libraries that nothing else here does. */
final class RealClient {
    private RealClient() {}

    // The statistics have no other switch.
    @SuppressWarnings("deprecation")
    static ClientBuilder of(Broker broker) {
        return PulsarClient.builder().serviceUrl(broker.serviceUrl()).statsInterval(0, TimeUnit.SECONDS);
    }
}
