package io.millrace.streams.engine.segment;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives hot segments a class of their own. Defining one costs a few hundred microseconds, so it is done once a segment
 * is hot, on a thread that runs no island; the number that live at once is bounded, and each goes with those who hold it. There is one for the whole
 * process: plans belong to no runtime, and a class, like the bound on their number, to the virtual machine.
 *
 * <p><b>Threads</b>: any island asks; one pool thread at a time defines.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code live} and {@code template}: guarded by the object; {@code told}: atomic.<br>
 * <b>Proved by</b>: SpecialisationTest, SpecialiserTest.
 */
final class Specialiser {
    static final Specialiser OF_PROCESS = new Specialiser(ForkJoinPool.commonPool());

    private static final System.Logger LOG = System.getLogger(Specialiser.class.getName());
    private static final int MAX_LIVE = 256;

    private final Executor threads;
    private final List<WeakReference<SegmentBody>> live = new ArrayList<>();
    private final AtomicBoolean told = new AtomicBoolean();
    private byte @Nullable [] template;
    private byte @Nullable [] kindTemplate;

    /** With threads on which classes are defined. */
    Specialiser(Executor threads) {
        this.threads = threads;
    }

    /** Gives a body as soon as a class with these constants is there, a line or kinds of steps; null when too many live, or no thread can make it; nothing when it cannot be made. */
    void request(Object constants, Consumer<@Nullable SegmentBody> taker) {
        try {
            threads.execute(() -> give(constants, taker));
        } catch (Throwable t) { // no thread can be started, or the factory of threads is the user's
            tell(t);
            taker.accept(null);
        }
    }

    private void give(Object constants, Consumer<@Nullable SegmentBody> taker) {
        try {
            taker.accept(define(constants));
        } catch (Throwable t) { // memory is short, or the class is refused: not tried again
            tell(t);
        }
    }

    /** Logs that once. */
    private void tell(Throwable why) {
        if (told.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a hot segment gets no class of its own; the next one is not told",
                    why);
        }
    }

    /** A body of a class with these constants, or null when too many live; that of kinds has no steps. */
    synchronized @Nullable SegmentBody define(Object constants) {
        live.removeIf(reference -> reference.get() == null);
        if (live.size() >= MAX_LIVE) {
            return null;
        }
        try {
            SegmentBody body = constants instanceof StepKind[] kinds ? ofKinds(kinds) : ofLine((HotLine) constants);
            live.add(new WeakReference<>(body));
            return body;
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException("the template of specialised segments cannot be used", e);
        }
    }

    private SegmentBody ofLine(HotLine line) throws IOException, ReflectiveOperationException {
        byte[] bytes = template;
        if (bytes == null) {
            bytes = read("SegmentTemplate.class");
            template = bytes;
        }
        MethodHandles.Lookup hidden = MethodHandles.lookup().defineHiddenClassWithClassData(bytes, line.filled(), true);
        return (SegmentBody) hidden.lookupClass().getDeclaredConstructor().newInstance();
    }

    private SegmentBody ofKinds(StepKind[] kinds) throws IOException, ReflectiveOperationException {
        byte[] bytes = kindTemplate;
        if (bytes == null) {
            bytes = read("KindTemplate.class");
            kindTemplate = bytes;
        }
        StepKind[] all = Arrays.copyOf(kinds, SegmentTemplate.STEP_COUNT);
        Arrays.fill(all, kinds.length, all.length, StepKind.Unused.UNUSED);
        MethodHandles.Lookup hidden = MethodHandles.lookup().defineHiddenClassWithClassData(bytes, all, true);
        return (SegmentBody)
                hidden.lookupClass().getDeclaredConstructor(Step[].class).newInstance((Object) new Step<?>[all.length]);
    }

    private static byte[] read(String resource) throws IOException {
        try (InputStream in = Specialiser.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException(resource + " is missing");
            }
            return in.readAllBytes();
        }
    }
}
