package io.millrace.compatibility.scenario;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/** The clients that all scenarios of a run share. The two admin clients are one; of the plain one, nothing is noted. */
record Shared(Target target, PulsarClient client, PulsarAdmin plainAdmin, PulsarAdmin admin) implements AutoCloseable {
    private static final int TIMEOUT_SECONDS = 30;

    static Shared open(Target target, CalledMethods called) throws PulsarClientException {
        PulsarAdmin admin = PulsarAdmin.builder()
                .serviceHttpUrl(target.adminUrl())
                .readTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .requestTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .build();
        PulsarClient client = PulsarClient.builder()
                .serviceUrl(target.serviceUrl())
                .operationTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .build();
        return new Shared(target, client, admin, called.noting(admin));
    }

    @Override
    public void close() {
        plainAdmin.close();
        // Its threads take two seconds to end, for which nobody waits.
        CompletableFuture<Void> unused = client.closeAsync();
    }
}
