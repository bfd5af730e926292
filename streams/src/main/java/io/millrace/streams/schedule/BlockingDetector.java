package io.millrace.streams.schedule;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Looks now and then at every {@link NonBlockingThread} of the process and tells of each call that has blocked one for a
 * whole interval: locks, waits, sleeps, futures; a read of a socket or file counts as running in a JVM and is not seen, and
 * a call that wakes up in between and waits again counts anew. It costs the watched threads nothing but the moment in which the
 * stack of one that has waited for an interval is read, once for each such wait.
 *
 * <p><b>Threads:</b> anyone starts and disposes it; a daemon thread of its own looks and calls the listener. <b>Owned:</b>
 * {@code sightings}, by that thread. <b>Shared:</b> {@code disposed}, volatile, once. <b>Proved by:</b>
 * BlockingDetectorTest.
 */
public final class BlockingDetector implements Disposable {
    private static final System.Logger LOG = System.getLogger(BlockingDetector.class.getName());

    private final Duration interval;
    private final Consumer<? super BlockingCall> listener;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Thread, Sighting> sightings = new HashMap<>();
    private final Thread looking = new Thread(this::lookUntilDisposed, "millrace-blocking-detector");
    private volatile boolean disposed;

    /** In which of its waits a thread was seen, from when on, and whether its stack has been read. */
    private record Sighting(long waitNumber, long sinceNanos, boolean isRead) {}

    private BlockingDetector(Duration interval, Consumer<? super BlockingCall> listener) {
        this.interval = interval;
        this.listener = listener;
    }

    /** Logs a warning for each call that blocks for longer than the interval, once while it lasts. */
    public static BlockingDetector start(Duration interval) {
        return start(interval, call -> LOG.log(System.Logger.Level.WARNING, withStack(call)));
    }

    /**
     * Tells the listener of each call that blocks for longer than the interval, once while it lasts, at most two intervals
     * after it began. What the listener throws is logged.
     */
    public static BlockingDetector start(Duration interval, Consumer<? super BlockingCall> listener) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("the interval must be longer than zero, not " + interval);
        }
        BlockingDetector detector = new BlockingDetector(interval, Objects.requireNonNull(listener, "listener"));
        detector.looking.setDaemon(true);
        detector.looking.start();
        return detector;
    }

    private static String withStack(BlockingCall call) {
        StringBuilder text = new StringBuilder(call.toString());
        call.stack().forEach(frame -> text.append("\n\tat ").append(frame));
        return text.toString();
    }

    private void lookUntilDisposed() {
        while (!disposed) {
            LockSupport.parkNanos(this, Durations.nanos(interval));
            for (BlockingCall call : look(System.nanoTime())) {
                tell(call);
            }
        }
    }

    private void tell(BlockingCall call) {
        if (disposed) {
            return;
        }
        try {
            listener.accept(call);
        } catch (Throwable ofListener) {
            LOG.log(System.Logger.Level.ERROR, "the listener for blocking calls failed on: " + call, ofListener);
        }
    }

    private List<BlockingCall> look(long nowNanos) {
        List<BlockingCall> calls = new ArrayList<>();
        Map<Thread, Sighting> seen = new HashMap<>();
        for (Thread thread : liveThreads()) {
            if (thread instanceof NonBlockingThread watched) {
                sight(watched, nowNanos, seen).ifPresent(calls::add);
            }
        }
        sightings.clear();
        sightings.putAll(seen);
        return calls;
    }

    private Optional<BlockingCall> sight(NonBlockingThread thread, long nowNanos, Map<Thread, Sighting> seen) {
        ThreadInfo info = isWaiting(thread.getState()) ? threads.getThreadInfo(thread.getId()) : null;
        if (info == null || !isWaiting(info.getThreadState())) {
            return Optional.empty();
        }
        long waitNumber = waitNumber(info);
        Sighting last = sightings.get(thread);
        if (last == null || last.waitNumber != waitNumber) {
            seen.put(thread, new Sighting(waitNumber, nowNanos, false));
            return Optional.empty();
        }
        seen.put(thread, new Sighting(waitNumber, last.sinceNanos, true));
        return last.isRead ? Optional.empty() : call(thread, info, Duration.ofNanos(nowNanos - last.sinceNanos));
    }

    private static long waitNumber(ThreadInfo info) {
        return info.getBlockedCount() + info.getWaitedCount();
    }

    /** The call that waits, if it still does and is not how the thread waits for work. */
    private Optional<BlockingCall> call(NonBlockingThread thread, ThreadInfo info, Duration atLeast) {
        StackTraceElement[] stack = thread.getStackTrace();
        ThreadInfo after = threads.getThreadInfo(thread.getId());
        if (after == null || waitNumber(after) != waitNumber(info)) {
            return Optional.empty();
        }
        return Arrays.stream(stack)
                .filter(frame -> !isOfJdk(frame))
                .findFirst()
                .filter(site -> !thread.isIdleIn(site))
                .map(site -> new BlockingCall(thread.getName(), info.getThreadState(), atLeast, site, List.of(stack)));
    }

    private static boolean isWaiting(Thread.State state) {
        return state == Thread.State.BLOCKED || state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    private static boolean isOfJdk(StackTraceElement frame) {
        String module = frame.getModuleName();
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }

    private static List<Thread> liveThreads() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] threads = new Thread[root.activeCount() * 2 + 16];
        int count = root.enumerate(threads);
        return Arrays.asList(threads).subList(0, count);
    }

    /** Looks no more; a call to the listener that is under way ends. */
    @Override
    public void dispose() {
        disposed = true;
        LockSupport.unpark(looking);
    }

    @Override
    public boolean isDisposed() {
        return disposed;
    }
}
