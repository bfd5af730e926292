package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.hub.MergeHubSettings;
import io.millrace.testkit.Behaviour;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MergeHubTest {
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withName("merge-hub-test"));

    private record Hub(MergeHub<Integer> hub, Probe<Integer> probe) {}

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    private Hub start(MergeHubSettings settings) {
        return MergeHub.<Integer>source(settings)
                .toMat(Probe.<Integer>sink(), Hub::new)
                .run(runtime);
    }

    private Hub start(int perProducerBuffer) {
        return start(MergeHubSettings.defaults().withPerProducerBuffer(perProducerBuffer));
    }

    private Feed<Integer> produce(Hub hub) {
        return Feed.<Integer>source().to(hub.hub.sink()).run(runtime);
    }

    private static Integer[] range(int from, int toExclusive) {
        return IntStream.range(from, toExclusive).boxed().toArray(Integer[]::new);
    }

    @Test
    @Behaviour("MHUB-1")
    void eachRunIsAHubAndItsSinkMayBeUsedAtAnyTime() {
        Source<Integer, MergeHub<Integer>> blueprint = MergeHub.source(4);
        Hub one = blueprint.toMat(Probe.<Integer>sink(), Hub::new).run(runtime);
        Hub other = blueprint.toMat(Probe.<Integer>sink(), Hub::new).run(runtime);
        assertThat(one.hub).isNotSameAs(other.hub);
        one.probe.request(Probe.ALL);
        other.probe.request(Probe.ALL);
        produce(one).send(1, 2).complete();
        assertThat(one.probe.awaitReceived(2)).containsExactly(1, 2);
        Await.until("the first producer has left", () -> one.hub.producerCount() == 0);
        produce(one).send(3);
        produce(other).send(4);
        assertThat(one.probe.awaitReceived(3)).containsExactly(1, 2, 3);
        assertThat(other.probe.awaitReceived(1)).containsExactly(4);
    }

    @Test
    @Behaviour("MHUB-2")
    void aProducerIsAskedForItsBufferAndAgainForEachHalf() {
        for (int buffer : new int[] {1, 3, 4, 16}) {
            Hub hub = start(buffer);
            Feed<Integer> feed = produce(hub).send(range(0, 100));
            Await.until("asked for " + buffer, () -> feed.pulls() == buffer);
            int half = (buffer + 1) / 2;
            hub.probe.request(half - 1);
            hub.probe.awaitReceived(half - 1);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            assertThat(feed.pulls()).as("not before half of it is taken").isEqualTo(buffer);
            hub.probe.request(1);
            hub.probe.awaitReceived(half);
            Await.until("asked for a half more", () -> feed.pulls() == buffer + half);
            hub.probe.request(Probe.ALL);
            assertThat(hub.probe.awaitReceived(100)).containsExactly(range(0, 100));
        }
    }

    @Test
    @Behaviour("MHUB-2")
    void aBufferHoldsAtLeastOneAndTheTotalAtLeastOneBuffer() {
        MergeHubSettings defaults = MergeHubSettings.defaults();
        assertThatThrownBy(() -> defaults.withPerProducerBuffer(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> defaults.withMaxTotalBuffer(15)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Behaviour("MHUB-3")
    void theConsumersCancellationCancelsAllProducersPresentAndFuture() throws Exception {
        Hub hub = start(2);
        Feed<Integer> idle = produce(hub);
        Feed<Integer> full = produce(hub).send(range(0, 10));
        Await.until("two producers", () -> hub.hub.producerCount() == 2);
        hub.probe.cancel();
        idle.cancelled().get(20, TimeUnit.SECONDS);
        full.cancelled().get(20, TimeUnit.SECONDS);
        produce(hub).cancelled().get(20, TimeUnit.SECONDS);
        assertThat(hub.hub.producerCount()).isZero();
    }

    @Test
    @Behaviour("MHUB-3")
    void aCancellationBeforeTheFirstProducerCancelsItToo() throws Exception {
        Hub hub = start(2);
        hub.probe.cancel();
        produce(hub).cancelled().get(20, TimeUnit.SECONDS);
    }

    @Test
    @Behaviour("MHUB-4")
    void aProducersFailureRemovesItAfterItsElementsAndTheHubGoesOn() {
        Hub hub = start(4);
        Feed<Integer> failing = produce(hub).send(1, 2);
        Feed<Integer> other = produce(hub);
        Await.until("two producers", () -> hub.hub.producerCount() == 2);
        failing.fail(new IllegalStateException("boom"));
        hub.probe.request(Probe.ALL);
        assertThat(hub.probe.awaitReceived(2)).containsExactly(1, 2);
        Await.until("the failing one was removed", () -> hub.hub.producerCount() == 1);
        other.send(3);
        assertThat(hub.probe.awaitReceived(3)).containsExactly(1, 2, 3);
        assertThat(hub.probe.hasEnded()).isFalse();
    }

    @Test
    @Behaviour("MHUB-4")
    void aProducersFailureIsLogged() {
        List<Throwable> logged = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line.getThrown());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(MergeHub.class.getName());
        logger.addHandler(handler);
        try {
            Hub hub = start(4);
            IllegalStateException failure = new IllegalStateException("boom");
            produce(hub).fail(failure);
            Await.until("the failure is logged", () -> logged.contains(failure));
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    @Behaviour("MHUB-4")
    void aProducersFailureFailsTheHubWhereThatIsTheSetting() throws Exception {
        Hub hub = start(MergeHubSettings.defaults().withFailOnProducerFailure(true));
        Feed<Integer> failing = produce(hub).send(1);
        Feed<Integer> other = produce(hub);
        hub.probe.request(Probe.ALL).awaitReceived(1);
        IllegalStateException failure = new IllegalStateException("boom");
        failing.fail(failure);
        assertThat(hub.probe.awaitFailure()).isSameAs(failure);
        other.cancelled().get(20, TimeUnit.SECONDS);
    }

    @Test
    @Behaviour("MHUB-4")
    void aProducerThatEndsByForceHasFailed() throws Exception {
        Hub hub = start(MergeHubSettings.defaults().withFailOnProducerFailure(true));
        try (StreamRuntime others = StreamRuntime.create(RuntimeSettings.defaults())) {
            Source.single(1).concat(Source.never()).to(hub.hub.sink()).run(others);
            hub.probe.request(Probe.ALL).awaitReceived(1);
        }
        assertThat(hub.probe.awaitFailure()).isInstanceOf(AbruptTerminationException.class);
    }

    @Test
    @Behaviour("MHUB-5")
    void drainingCancelsNewProducersAndCompletesAfterThePresentOnes() throws Exception {
        Hub hub = start(4);
        Feed<Integer> present = produce(hub).send(1, 2);
        Await.until("one producer", () -> hub.hub.producerCount() == 1);
        hub.hub.drain();
        produce(hub).cancelled().get(20, TimeUnit.SECONDS);
        hub.probe.request(Probe.ALL);
        hub.probe.awaitReceived(2);
        assertThat(hub.probe.hasEnded()).isFalse();
        present.send(3).complete();
        assertThat(hub.probe.awaitCompletion()).containsExactly(1, 2, 3);
    }

    /** Their streams run, but have had no turn yet. */
    @Test
    @Behaviour("MHUB-5")
    void drainingWaitsForProducersThatAreOnTheirWay() throws Exception {
        CompletableFuture<Void> turns = new CompletableFuture<>();
        CompletionStage<Void> begun = turns;
        try (StreamRuntime slow =
                StreamRuntime.create(RuntimeSettings.defaults().withExecutor(task -> begun.thenRun(task)))) {
            Hub hub = start(4);
            hub.probe.request(Probe.ALL);
            Source.of(1, 2, 3).to(hub.hub.sink()).run(slow);
            hub.hub.drain();
            Source.of(4).to(hub.hub.sink()).run(slow);
            Source.of(5).to(hub.hub.sink()).run(runtime);
            turns.complete(null);
            assertThat(hub.probe.awaitCompletion()).containsExactly(1, 2, 3);
        }
    }

    @Test
    @Behaviour("MHUB-5")
    void drainingWaitsForNoProducerWhoseStreamCouldNotBeMade() throws Exception {
        Hub hub = start(4);
        Sink<Integer, NotUsed> unmakeable = Sink.<Integer>ignore().mapMaterializedValue(value -> {
            throw new IllegalStateException("mine");
        });
        assertThatThrownBy(() -> Source.of(1)
                        .to(hub.hub.sink())
                        .mapMaterializedValue(value -> {
                            throw new IllegalStateException("mine");
                        })
                        .run(runtime))
                .hasStackTraceContaining("mine");
        assertThatThrownBy(
                        () -> Source.of(1).alsoTo(hub.hub.sink()).to(unmakeable).run(runtime))
                .hasStackTraceContaining("mine");
        hub.hub.drain();
        assertThat(hub.probe.awaitCompletion()).isEmpty();
    }

    @Test
    @Behaviour("MHUB-5")
    void drainingCompletesAtOnceWithoutProducers() throws Exception {
        Hub hub = start(4);
        hub.hub.drain();
        assertThat(hub.probe.awaitCompletion()).isEmpty();
        produce(hub).cancelled().get(20, TimeUnit.SECONDS);
    }

    @Test
    @Behaviour("MHUB-6")
    void aFullTotalRefusesProducersAndAdmitsThemAgainLater() throws Exception {
        Hub hub = start(new MergeHubSettings(4, 8, false));
        Feed<Integer> first = produce(hub);
        produce(hub);
        Await.until("two producers", () -> hub.hub.producerCount() == 2);
        produce(hub).cancelled().get(20, TimeUnit.SECONDS);
        first.complete();
        Await.until("one producer", () -> hub.hub.producerCount() == 1);
        produce(hub).send(7);
        assertThat(hub.probe.request(1).awaitReceived(1)).containsExactly(7);
    }

    @Test
    @Behaviour("MHUB-7")
    void producersTakeTurnsElementByElement() {
        Hub hub = start(16);
        for (int i = 0; i < 4; i++) {
            Feed<Integer> feed = produce(hub).send(range(0, i == 0 ? 1000 : 8));
            Await.until("its buffer is full or it is dry", () -> feed.pulls() >= 9);
        }
        hub.probe.request(32);
        List<Integer> received = hub.probe.awaitReceived(32);
        for (int round = 0; round < 8; round++) {
            Integer expected = round;
            assertThat(received.subList(round * 4, round * 4 + 4)).containsOnly(expected);
        }
    }

    @Test
    @Behaviour("MHUB-3")
    void closingTheRuntimeFailsTheConsumerAndCancelsNobodyTwice() throws Exception {
        Hub hub = start(4);
        produce(hub);
        runtime.close();
        assertThat(hub.probe.awaitFailure()).isInstanceOf(AbruptTerminationException.class);
    }
}
