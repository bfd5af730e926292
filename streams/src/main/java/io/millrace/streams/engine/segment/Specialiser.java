package io.millrace.streams.engine.segment;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives hot segments a class of their own. Defining one costs a few hundred microseconds, so it is done once a segment
 * is hot, on a thread that runs no island; the number that live at once is bounded, and each goes with those who hold it. There is one for the whole
 * process: plans belong to no runtime, and a class, like the bound on their number, to the virtual machine.
 *
 * <p><b>Threads</b>: any island asks; one pool thread at a time defines.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code live} and {@code template}: guarded by the object.<br>
 * <b>Proved by</b>: SpecialisationTest.
 */
final class Specialiser {
    static final Specialiser OF_PROCESS = new Specialiser();

    private static final int MAX_LIVE = 256;
    private static final Step<Object> PASS_ON = new PassOn();
    private final List<WeakReference<SegmentBody>> live = new ArrayList<>();
    private byte @Nullable [] template;

    private Specialiser() {}

    /** Gives the body of these steps as soon as a class for them is there, or null when too many live. */
    void request(Step<?>[] steps, Consumer<@Nullable SegmentBody> taker) {
        ForkJoinPool.commonPool().execute(() -> taker.accept(define(steps)));
    }

    /** A body of these steps with a class of its own, or null when too many live. */
    synchronized @Nullable SegmentBody define(Step<?>[] steps) {
        live.removeIf(reference -> reference.get() == null);
        if (live.size() >= MAX_LIVE) {
            return null;
        }
        Step<?>[] all = new Step<?>[SegmentTemplate.STEP_COUNT];
        Arrays.setAll(all, i -> i < steps.length ? steps[i] : PASS_ON);
        try {
            MethodHandles.Lookup hidden = MethodHandles.lookup().defineHiddenClassWithClassData(template(), all, true);
            SegmentBody body =
                    (SegmentBody) hidden.lookupClass().getDeclaredConstructor().newInstance();
            live.add(new WeakReference<>(body));
            return body;
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException("the template of specialised segments cannot be used", e);
        }
    }

    private byte[] template() throws IOException {
        byte[] bytes = template;
        if (bytes == null) {
            try (InputStream in = Specialiser.class.getResourceAsStream("SegmentTemplate.class")) {
                if (in == null) {
                    throw new IOException("SegmentTemplate.class is missing");
                }
                bytes = in.readAllBytes();
            }
            template = bytes;
        }
        return bytes;
    }

    /** Fills the places after the last step. */
    private record PassOn() implements Step<Object> {
        @Override
        public Object apply(Object element, @Nullable Object[] states, int at) {
            return element;
        }
    }
}
