package io.millrace.broker;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails the test class after which a buffer was collected that nobody had released. Registered for every test of the
 * module; surefire sets the level of detection. What a client loses that crashes in a test is not ours.
 */
public final class LeakDetection implements AfterAllCallback {
    private static final int PROBES = 20;
    private static final String CLIENT = "org.apache.pulsar.client.impl.";
    private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();

    static {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Detectors());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        List<String> leaks = collect();
        if (!leaks.isEmpty()) {
            throw new AssertionError(leaks.size() + " buffers were not released, at the latest in "
                    + context.getDisplayName() + "; the first one:\n" + leaks.get(0));
        }
    }

    /** Reports of the buffers that were lost so far, each given once. */
    static List<String> collect() {
        System.gc();
        for (int i = 0; i < PROBES; i++) {
            PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        List<String> leaks = new ArrayList<>();
        for (String leak = FOUND.poll(); leak != null; leak = FOUND.poll()) {
            leaks.add(leak);
        }
        return leaks;
    }

    private static final class Detectors extends ResourceLeakDetectorFactory {
        @Override
        @SuppressWarnings("deprecation")
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                Class<T> resource, int samplingInterval, long maxActive) {
            return ByteBuf.class.isAssignableFrom(resource)
                    ? new Recording<>(resource, samplingInterval)
                    : new ResourceLeakDetector<>(resource, samplingInterval);
        }
    }

    private static final class Recording<T> extends ResourceLeakDetector<T> {
        Recording(Class<T> resource, int samplingInterval) {
            super(resource, samplingInterval);
        }

        @Override
        protected boolean needReport() {
            return true;
        }

        @Override
        protected void reportTracedLeak(String resourceType, String records) {
            if (!records.contains(CLIENT)) {
                FOUND.add(resourceType + records);
            }
            super.reportTracedLeak(resourceType, records);
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
            FOUND.add(resourceType);
            super.reportUntracedLeak(resourceType);
        }
    }
}
