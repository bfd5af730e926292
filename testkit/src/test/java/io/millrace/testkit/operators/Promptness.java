package io.millrace.testkit.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Attributes;
import io.millrace.streams.BroadcastHub;
import io.millrace.streams.BroadcastHubSettings;
import io.millrace.streams.Flow;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.schedule.Schedulers;
import io.millrace.testkit.VirtualTimeScheduler;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether what an operator has given reaches an idle downstream though the next call blocks: the iterator at the beginning gives some
 * elements and then goes on only when that has arrived at the end which comes of them where everything rests.
 */
enum Promptness {
    FUSED {
        @Override
        <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime) {
            return source.via(flow);
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

    private static final int BOUND_SECONDS = 10;

    abstract <I, O> Source<O, ?> assembled(Source<I, ?> source, Flow<I, O, ?> flow, StreamRuntime runtime);

    /** Checks it with so many elements of the case's input before the iterator waits. */
    <I, O> void check(FlowCase<I, O> one, int given, StreamRuntime runtime) throws Exception {
        int awaited = cameToRest(one, given);
        CountDownLatch arrived = new CountDownLatch(awaited);
        Waiting<I> elements = new Waiting<>(one.input().subList(0, given), arrived);
        CompletionStage<?> end = assembled(Source.fromIterator(() -> elements), one.flow().get(), runtime)
                .runWith(Sink.foreach(element -> arrived.countDown()), runtime);
        end.toCompletableFuture().get(2 * BOUND_SECONDS, TimeUnit.SECONDS);
        assertThat(arrived.getCount()).as("not arrived, of " + awaited).isZero();
        assertThat(elements.hasTimedOut).as("the iterator had to give up").isFalse();
    }

    /** How many elements come out of so many, when nothing more comes and time stands still. */
    private static <I, O> int cameToRest(FlowCase<I, O> one, int given) {
        Queue<Runnable> turns = new ArrayDeque<>();
        AtomicInteger count = new AtomicInteger();
        RuntimeSettings settings = RuntimeSettings.defaults().withExecutor(turns::add);
        StreamRuntime still = StreamRuntime.create(settings, new VirtualTimeScheduler());
        Source.from(one.input().subList(0, given))
                .concat(Source.never())
                .via(one.flow().get())
                .runWith(Sink.foreach(element -> count.incrementAndGet()), still);
        for (Runnable turn = turns.poll(); turn != null; turn = turns.poll()) {
            turn.run();
        }
        int atRest = count.get();
        new Thread(still::close).start();
        return atRest;
    }

    /** Gives the elements, and then ends once all have arrived. */
    private static final class Waiting<I> implements Iterator<I> {
        private final Iterator<I> elements;
        private final CountDownLatch arrived;
        private volatile boolean hasTimedOut;

        Waiting(List<I> elements, CountDownLatch arrived) {
            this.elements = elements.iterator();
            this.arrived = arrived;
        }

        @Override
        public boolean hasNext() {
            if (!elements.hasNext()) {
                try {
                    hasTimedOut = !arrived.await(BOUND_SECONDS, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return false;
            }
            return true;
        }

        @Override
        public I next() {
            return elements.next();
        }
    }
}
