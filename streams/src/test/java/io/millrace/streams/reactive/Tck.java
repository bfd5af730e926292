package io.millrace.streams.reactive;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.SubscriberBlackboxVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/** The verifications of the Reactive Streams TCK, each of its TestNG methods as a JUnit test. */
final class Tck {
    private static final long PATIENCE_MILLIS = 10_000;
    private static final long SILENCE_MILLIS = 40;
    private static final long POLL_MILLIS = 100; // an error is looked for only once, after this
    private static final int ATTEMPTS = 100;

    private Tck() {}

    static TestEnvironment environment() {
        return new TestEnvironment(PATIENCE_MILLIS, SILENCE_MILLIS, POLL_MILLIS);
    }

    static Source<Integer, ?> numbers(long count) {
        return Source.repeat(7).take(count);
    }

    /** Each test of a verification, on an instance of its own; what it skips is an aborted test here. */
    static Stream<DynamicTest> tests(String subject, Supplier<?> verifications) {
        return Arrays.stream(verifications.get().getClass().getMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .sorted(Comparator.comparing(Method::getName))
                .map(method -> DynamicTest.dynamicTest(
                        subject + ": " + method.getName(), () -> run(verifications.get(), method)));
    }

    private static void run(Object verification, Method test) throws Throwable {
        call(verification, BeforeClass.class);
        try {
            call(verification, BeforeMethod.class);
            insist(verification, test);
        } catch (SkipException skipped) {
            Assumptions.abort(skipped.getMessage());
        } finally {
            call(verification, AfterClass.class);
        }
    }

    /** Rules 3.9 and 3.13 are looked at only once, 100 ms after something that another thread may have yet to see. */
    private static void insist(Object verification, Method test) throws Throwable {
        boolean hasOneLook =
                test.getName().contains("_spec309") || test.getName().contains("_spec313");
        int attempts = hasOneLook ? ATTEMPTS : 1;
        while (true) {
            try {
                invoke(verification, test);
                return;
            } catch (AssertionError tooEarly) {
                if (--attempts == 0) {
                    throw tooEarly;
                }
            }
            call(verification, BeforeMethod.class); // forgets the errors that the attempt has left behind
        }
    }

    private static void call(Object verification, Class<? extends Annotation> mark) throws Throwable {
        for (Method method : verification.getClass().getMethods()) {
            if (method.isAnnotationPresent(mark)) {
                invoke(verification, method);
            }
        }
    }

    private static void invoke(Object target, Method method) throws Throwable {
        try {
            method.setAccessible(true);
            method.invoke(target);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Verifies the publishers that a function makes of a source of a length, or of one that fails. */
    static final class Publishing extends PublisherVerification<Integer> {
        private final Function<Source<Integer, ?>, Publisher<Integer>> publish;
        private final Function<Long, Source<Integer, ?>> source;
        private final long longest;

        Publishing(Function<Source<Integer, ?>, Publisher<Integer>> publish) {
            this(publish, Tck::numbers, Long.MAX_VALUE - 1);
        }

        Publishing(
                Function<Source<Integer, ?>, Publisher<Integer>> publish,
                Function<Long, Source<Integer, ?>> source,
                long longest) {
            super(environment());
            this.publish = publish;
            this.source = source;
            this.longest = longest;
        }

        @Override
        public Publisher<Integer> createPublisher(long elements) {
            return publish.apply(source.apply(elements));
        }

        @Override
        public Publisher<Integer> createFailedPublisher() {
            return publish.apply(Source.failed(new IllegalStateException("meant to fail")));
        }

        @Override
        public long maxElementsFromPublisher() {
            return longest;
        }
    }

    /** Verifies the subscribers that a function makes of a sink. */
    static final class Subscribing extends SubscriberBlackboxVerification<Integer> {
        private final Function<Sink<Integer, ?>, Subscriber<Integer>> subscribe;
        private final Supplier<Sink<Integer, ?>> sink;

        Subscribing(Function<Sink<Integer, ?>, Subscriber<Integer>> subscribe) {
            this(subscribe, Sink::ignore);
        }

        Subscribing(Function<Sink<Integer, ?>, Subscriber<Integer>> subscribe, Supplier<Sink<Integer, ?>> sink) {
            super(environment());
            this.subscribe = subscribe;
            this.sink = sink;
        }

        @Override
        public Subscriber<Integer> createSubscriber() {
            return subscribe.apply(sink.get());
        }

        @Override
        public Integer createElement(int element) {
            return element;
        }
    }

    static Subscriber<Integer> subscriberInto(Sink<Integer, ?> sink, StreamRuntime runtime) {
        return Source.<Integer>asSubscriber().to(sink).run(runtime);
    }
}
