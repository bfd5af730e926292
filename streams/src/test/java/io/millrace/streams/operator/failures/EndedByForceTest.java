package io.millrace.streams.operator.failures;

import static io.millrace.streams.Await.await;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.BroadcastHub;
import io.millrace.streams.Keep;
import io.millrace.streams.PartitionHub;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.SinkQueue;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outcome;
import io.millrace.streams.inspect.Monitor;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Whoever is told of a stream that is ended by force is told what has ended it. */
final class EndedByForceTest {
    private final StreamRuntime others = StreamRuntime.create();

    /** Runs a stream without end in the runtime; what it gives says, once that is closed, what was told. */
    @FunctionalInterface
    private interface Running {
        Told in(StreamRuntime runtime) throws Exception;
    }

    @FunctionalInterface
    private interface Told {
        CompletionStage<Throwable> afterwards();
    }

    @AfterEach
    void close() {
        others.close();
    }

    @TestFactory
    Stream<DynamicTest> theCauseIsTold() {
        Map<String, Running> cases = new TreeMap<>();
        cases.put("doFinally", EndedByForceTest::doFinally);
        cases.put("usingWhen", EndedByForceTest::usingWhen);
        cases.put("onComplete", EndedByForceTest::onComplete);
        cases.put("queue, asked before", EndedByForceTest::queueAskedBefore);
        cases.put("queue, asked after", EndedByForceTest::queueAskedAfter);
        cases.put("publisher, subscribed before", EndedByForceTest::publisherSubscribedBefore);
        cases.put("publisher, subscribed after", EndedByForceTest::publisherSubscribedAfter);
        cases.put("subscriber", EndedByForceTest::subscriber);
        cases.put("monitor", EndedByForceTest::monitor);
        cases.put("broadcast hub", this::broadcastHub);
        cases.put("partition hub", this::partitionHub);
        cases.put("cache", this::cache);
        return cases.entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> isTold(each.getValue())));
    }

    private static void isTold(Running running) throws Exception {
        StreamRuntime runtime = StreamRuntime.create(RuntimeSettings.defaults().withName("of-this-test"));
        Told told = running.in(runtime);
        runtime.close();
        assertThat(await(told.afterwards()))
                .isInstanceOf(AbruptTerminationException.class)
                .hasMessageContaining("of-this-test was closed");
    }

    private static Told doFinally(StreamRuntime runtime) throws Exception {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        started(source -> source.doFinally(outcome::complete).runWith(Sink.ignore(), runtime));
        return () -> outcome.thenApply(EndedByForceTest::cause);
    }

    private static Told usingWhen(StreamRuntime runtime) throws Exception {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        CompletableFuture<Done> used = new CompletableFuture<>();
        Source.usingWhen(
                        () -> completedFuture("resource"),
                        resource -> Source.of(1).concat(Source.never()).map(element -> {
                            used.complete(Done.DONE);
                            return element;
                        }),
                        (resource, end) -> {
                            outcome.complete(end);
                            return completedFuture(Done.DONE);
                        })
                .runWith(Sink.ignore(), runtime);
        await(used);
        return () -> outcome.thenApply(EndedByForceTest::cause);
    }

    private static Told onComplete(StreamRuntime runtime) throws Exception {
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        started(source -> source.runWith(Sink.onComplete(failure -> told.complete(failure.orElseThrow())), runtime));
        return () -> told;
    }

    private static Told queueAskedBefore(StreamRuntime runtime) throws Exception {
        SinkQueue<Integer> queue = Source.of(1).concat(Source.never()).runWith(Sink.queue(), runtime);
        await(queue.pull());
        CompletionStage<Throwable> told = failureOf(queue.pull());
        return () -> told;
    }

    private static Told queueAskedAfter(StreamRuntime runtime) throws Exception {
        SinkQueue<Integer> queue = Source.of(1).concat(Source.never()).runWith(Sink.queue(), runtime);
        await(queue.pull());
        return () -> failureOf(queue.pull());
    }

    private static Told publisherSubscribedBefore(StreamRuntime runtime) throws Exception {
        Failures<Integer> subscriber = new Failures<>();
        Source.<Integer>never().runWith(Sink.asPublisher(), runtime).subscribe(subscriber);
        await(subscriber.subscribed);
        return () -> subscriber.failure;
    }

    private static Told publisherSubscribedAfter(StreamRuntime runtime) {
        Publisher<Integer> publisher = Source.<Integer>never().runWith(Sink.asPublisher(), runtime);
        Failures<Integer> subscriber = new Failures<>();
        return () -> {
            publisher.subscribe(subscriber);
            return subscriber.failure;
        };
    }

    private static Told subscriber(StreamRuntime runtime) throws Exception {
        Failures<Integer> subscriber = new Failures<>();
        Source.<Integer>never().runWith(Sink.fromSubscriber(subscriber), runtime);
        await(subscriber.subscribed);
        return () -> subscriber.failure;
    }

    private static Told monitor(StreamRuntime runtime) throws Exception {
        CompletableFuture<Monitor<Integer>> monitor = new CompletableFuture<>();
        started(source ->
                monitor.complete(source.monitor(Keep.right()).to(Sink.ignore()).run(runtime)));
        return () -> monitor.thenApply(known -> known.cause().orElseThrow());
    }

    private Told broadcastHub(StreamRuntime runtime) throws Exception {
        BroadcastHub<Integer> hub = Source.<Integer>never().runWith(BroadcastHub.sink(16), runtime);
        CompletionStage<Throwable> told = failureOf(hub.source().runWith(Sink.ignore(), others));
        return () -> told;
    }

    private Told partitionHub(StreamRuntime runtime) throws Exception {
        PartitionHub<Integer> hub =
                Source.<Integer>never().runWith(PartitionHub.sink(() -> (size, element) -> 0), runtime);
        CompletionStage<Throwable> told = failureOf(hub.source().runWith(Sink.ignore(), others));
        return () -> told;
    }

    private Told cache(StreamRuntime runtime) throws Exception {
        CompletableFuture<Integer> first = new CompletableFuture<>();
        CompletionStage<Done> reading =
                Source.of(1).concat(Source.never()).cache(runtime).runWith(Sink.foreach(first::complete), others);
        await(first);
        return () -> failureOf(reading);
    }

    /** Runs a stream of one element and no end, and waits until that has passed. */
    private static void started(Consumer<Source<Integer, NotUsed>> run) throws Exception {
        CompletableFuture<Integer> first = new CompletableFuture<>();
        run.accept(Source.of(1).concat(Source.never()).map(element -> {
            first.complete(element);
            return element;
        }));
        await(first);
    }

    private static Throwable cause(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed ? failed.failure() : ((Outcome.Cancelled) outcome).cause();
    }

    private static CompletionStage<Throwable> failureOf(CompletionStage<?> future) {
        return future.handle((value, failure) -> failure);
    }

    /** Asks for everything and keeps how it ended. */
    private static final class Failures<T> implements Subscriber<T> {
        private final CompletableFuture<Done> subscribed = new CompletableFuture<>();
        private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
            subscribed.complete(Done.DONE);
        }

        @Override
        public void onNext(T element) {
            // None is sent.
        }

        @Override
        public void onError(Throwable cause) {
            failure.complete(cause);
        }

        @Override
        public void onComplete() {
            failure.completeExceptionally(new AssertionError("it has completed"));
        }
    }
}
