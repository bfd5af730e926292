package io.millrace.streams.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.BroadcastHub;
import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.schedule.Schedulers;
import io.millrace.testkit.VirtualTimeScheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether what an operator has given reaches an idle downstream though the next call blocks: the iterator at the beginning gives some
 * elements and then goes on only when that has arrived at the end which comes of them where everything rests.
 */
public enum Promptness {
    FUSED {
        @Override
        <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime) {
            return source.via(flow);
        }
    },
    STAGES_BEHIND {
        @Override
        <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime) {
            return source.via(flow)
                    .map(element -> element)
                    .viaMat(KillSwitches.<O>single(), Keep.left())
                    .filter(element -> true);
        }
    },
    BLOCKING_SOURCE {
        @Override
        <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime) {
            return source.withAttributes(Attributes.blocking()).via(flow);
        }
    },
    BOUNDARY_BEFORE {
        @Override
        <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime) {
            return source.async().via(flow);
        }
    },
    BOUNDARY_BEHIND {
        @Override
        <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime) {
            return source.via(flow).async();
        }
    },
    SMALL_BOUNDARIES {
        @Override
        <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime) {
            return source.async().via(flow).async().withAttributes(Attributes.inputBuffer(1));
        }
    },
    ELASTIC_THREADS {
        @Override
        <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime) {
            return source.async(Schedulers.elastic()).via(flow).async();
        }
    },
    PUBLISHER {
        @Override
        <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime) {
            return Source.fromPublisher(source.via(flow).runWith(Sink.<O>asPublisher(), runtime));
        }
    },
    SHARED {
        @Override
        <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime) {
            return source.via(flow).publish(runtime).refCount();
        }
    },
    HUB {
        @Override
        <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime) {
            BroadcastHubSettings settings = BroadcastHubSettings.defaults().withStartAfterConsumers(1);
            return source.via(flow)
                    .runWith(BroadcastHub.<O>sink(settings), runtime)
                    .source();
        }
    };

    /** Where the iterator runs elsewhere than the operator, which thus may have other sources, timers and futures of its own. */
    public static final Set<Promptness> WITH_A_BOUNDARY_BEFORE =
            EnumSet.of(BLOCKING_SOURCE, BOUNDARY_BEFORE, SMALL_BOUNDARIES, ELASTIC_THREADS);

    private static final int BOUND_SECONDS = 10;

    abstract <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime);

    /** Checks it with so many elements of the case's input before the iterator waits. */
    <I, O> void check(FlowCase<I, O> one, int given, StreamRuntime runtime) throws Exception {
        int awaited = cameToRest(one, given);
        CountDownLatch arrived = new CountDownLatch(awaited);
        CountDownLatch released = new CountDownLatch(1);
        Iterator<I> elements = new Waiting<>(one.input().subList(0, given).iterator(), released);
        CompletionStage<?> end = assembled(
                        Source.fromIterator(() -> elements), one.flow().get(), runtime)
                .runWith(Sink.foreach(element -> arrived.countDown()), runtime);
        boolean haveArrived = arrived.await(BOUND_SECONDS, TimeUnit.SECONDS);
        released.countDown();
        assertThat(haveArrived)
                .as("%s of %s did not arrive while the iterator waited", arrived.getCount(), awaited)
                .isTrue();
        assertThat(end.toCompletableFuture().handle((done, failure) -> true).get(BOUND_SECONDS, TimeUnit.SECONDS))
                .isTrue();
    }

    /** How many elements come out of so many, when nothing more comes and time stands still. */
    private static <I, O> int cameToRest(FlowCase<I, O> one, int given) {
        Queue<Runnable> turns = new ArrayDeque<>();
        AtomicInteger count = new AtomicInteger();
        RuntimeSettings settings = RuntimeSettings.defaults()
                .withExecutor(turns::add)
                .withCloseTimeout(Duration.ZERO)
                .withFailureReporter(failure -> {});
        StreamRuntime still = StreamRuntime.create(settings, new VirtualTimeScheduler());
        Source.from(one.input().subList(0, given))
                .concat(Source.never())
                .via(one.flow().get())
                .runWith(Sink.foreach(element -> count.incrementAndGet()), still);
        runAll(turns);
        int atRest = count.get();
        still.close();
        runAll(turns);
        return atRest;
    }

    private static void runAll(Queue<Runnable> turns) {
        for (Runnable turn = turns.poll(); turn != null; turn = turns.poll()) {
            turn.run();
        }
    }

    /** Gives the elements, and ends when it is released. */
    private record Waiting<I>(Iterator<I> elements, CountDownLatch released) implements Iterator<I> {
        @Override
        public boolean hasNext() {
            if (elements.hasNext()) {
                return true;
            }
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return false;
        }

        @Override
        public I next() {
            return elements.next();
        }
    }
}
