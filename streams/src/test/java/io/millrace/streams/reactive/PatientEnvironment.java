package io.millrace.streams.reactive;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.TestEnvironment;

/**
 * The TCK's environment for what another thread does some time. The TCK looks at rules 3.9 and 3.13 only once, soon after a request or
 * cancellation that the publisher may have yet to see; here that look waits for what the rule says to come about.
 */
final class PatientEnvironment extends TestEnvironment {
    private static final long PATIENCE_MILLIS = 10_000;
    private static final long SILENCE_MILLIS = 40;
    private static final String STILL_REFERENCED = "did not drop reference to test subscriber";

    private volatile boolean hasFailed;
    private volatile WeakReference<?> subscriber = new WeakReference<>(null);

    PatientEnvironment() {
        super(PATIENCE_MILLIS, SILENCE_MILLIS, 0);
    }

    /** How long the TCK sleeps before it looks for an error: not at all, once there is one. */
    @Override
    public long defaultPollTimeoutMillis() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (!hasFailed && System.nanoTime() - deadline < 0) {
            pause();
        }
        return 0;
    }

    @Override
    public void clearAsyncErrors() {
        super.clearAsyncErrors();
        hasFailed = false;
    }

    @Override
    public void flop(Throwable failure, String message) {
        super.flop(failure, message);
        hasFailed = true;
    }

    @Override
    public void flop(Throwable failure) {
        super.flop(failure);
        hasFailed = true;
    }

    @Override
    public void flop(String message) {
        if (message.contains(STILL_REFERENCED) && isDropped()) {
            return;
        }
        super.flop(message);
        hasFailed = true;
    }

    @Override
    public <T> ManualSubscriber<T> newManualSubscriber(Publisher<T> publisher, long timeoutMillis)
            throws InterruptedException {
        ManualSubscriber<T> made = super.newManualSubscriber(publisher, timeoutMillis);
        subscriber = new WeakReference<>(made);
        return made;
    }

    private boolean isDropped() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (subscriber.get() != null && System.nanoTime() - deadline < 0) {
            System.gc();
            pause();
        }
        return subscriber.get() == null;
    }

    private static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
}
