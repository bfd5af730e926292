package io.millrace.junit;

import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.PulsarClientException;

/** An admin client that tests are given. It alone names the admin client's classes, so that nothing else needs them. */
record InjectedAdmin(PulsarAdmin admin) implements AutoCloseable {
    static InjectedAdmin connect(String httpServiceUrl) {
        try {
            return new InjectedAdmin(
                    PulsarAdmin.builder().serviceHttpUrl(httpServiceUrl).build());
        } catch (PulsarClientException e) {
            throw new IllegalStateException("no admin client could be made for " + httpServiceUrl, e);
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
