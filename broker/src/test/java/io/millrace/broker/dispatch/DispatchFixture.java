package io.millrace.broker.dispatch;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of one subscription in a folder of its own, which each of them opens as it needs it. */
abstract class DispatchFixture {
    OneSubscription subscription;

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        subscription.close();
    }

    void open(SubscriptionType type) throws IOException {
        open(SubscriptionSettings.durable("s", type));
    }

    void open(SubscriptionSettings settings) throws IOException {
        subscription = new OneSubscription(folder, settings);
    }
}
