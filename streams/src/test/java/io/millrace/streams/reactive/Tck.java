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
    /** How long the TCK sleeps after a cancellation before it looks whether the subscriber is still referenced. */
    static final long SLEEP_MILLIS = 20;

    /** How often rules are tested that another thread fulfils some time: a defect may not show each time. */
    private static final int RUNS = 5;

    private Tck() {}

    static TestEnvironment environment() {
        return new PatientEnvironment();
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
        boolean isFulfilledLater =
                test.getName().contains("_spec309") || test.getName().contains("_spec313");
        call(verification, BeforeClass.class);
        try {
            for (int left = isFulfilledLater ? RUNS : 1; left > 0; left--) {
                call(verification, BeforeMethod.class); // forgets the errors of the run before
                invoke(verification, test);
            }
        } catch (SkipException skipped) {
            Assumptions.abort(skipped.getMessage());
        } finally {
            call(verification, AfterClass.class);
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
            super(environment(), SLEEP_MILLIS);
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
