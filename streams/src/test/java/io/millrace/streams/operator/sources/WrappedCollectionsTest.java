package io.millrace.streams.operator.sources;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.engine.EngineTest;
import io.millrace.streams.engine.PassOnStage;
import io.millrace.streams.schedule.Schedulers;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A collection of the platform may be nothing but a wrapper of the user's, whose iterator it gives. */
@Timeout(30)
final class WrappedCollectionsTest extends EngineTest {
    /** Gives a number, and does this when it is asked whether there is another. */
    private static Collection<Integer> one(Runnable whenAskedForMore) {
        Collection<Integer> own = new AbstractCollection<>() {
            @Override
            public Iterator<Integer> iterator() {
                return new Iterator<>() {
                    private boolean isGiven;

                    @Override
                    public boolean hasNext() {
                        if (isGiven) {
                            whenAskedForMore.run();
                        }
                        return !isGiven;
                    }

                    @Override
                    public Integer next() {
                        isGiven = true;
                        return 1;
                    }
                };
            }

            @Override
            public int size() {
                return 1;
            }
        };
        return Collections.unmodifiableCollection(own);
    }

    private static void refuse() {
        throw new IllegalStateException("no more is told");
    }

    @Test
    void whatTheWrappedIteratorThrowsAgainAndAgainIsRecoveredFromOnce() throws Exception {
        Source<Integer, ?> source = Source.from(one(WrappedCollectionsTest::refuse));
        assertThat(await(source.recover(failure -> 0).runWith(Sink.seq(), runtime)))
                .containsExactly(1, 0);
    }

    @Test
    void whatTheWrappedIteratorThrowsEndsTheStreamBehindABoundary() throws Exception {
        Source<Integer, ?> source = Source.from(one(WrappedCollectionsTest::refuse));
        assertThat(awaitFailure(source.map(x -> x).async().map(x -> x).runWith(Sink.seq(), runtime)))
                .hasMessageContaining("no more is told");
    }

    @Test
    void anElementIsOnItsWayBeforeTheWrappedIteratorIsAskedForTheNext() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        Source<Integer, ?> source = Source.from(one(() -> waitFor(seen)));
        await(source.via(new PassOnStage()).runForeach(x -> seen.countDown(), runtime));
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theWrappedIteratorIsNotMovedOverABoundary() throws Exception {
        AtomicReference<Thread> asked = new AtomicReference<>();
        AtomicReference<Thread> passed = new AtomicReference<>();
        Source<Integer, ?> source = Source.from(one(() -> asked.set(Thread.currentThread())));
        await(source.observeOn(Schedulers.newThread())
                .map(x -> {
                    passed.set(Thread.currentThread());
                    return x;
                })
                .runWith(Sink.ignore(), runtime));
        assertThat(asked.get()).isNotSameAs(passed.get());
    }

    /** An entry set of the user's, of which the platform makes the keys and values. */
    private static Map<Integer, Integer> map() {
        return new AbstractMap<>() {
            @Override
            public Set<Entry<Integer, Integer>> entrySet() {
                return Set.of(Map.entry(1, 2));
            }
        };
    }

    private static boolean isPlain(Iterable<?> elements) {
        return new IterableSource<>("iterable", elements).isPlain();
    }

    private static Map<Integer, Integer> concurrent(Map<Integer, Integer> same) {
        return new ConcurrentHashMap<>(same);
    }

    @Test
    @SuppressWarnings("JdkObsolete") // a linked list is one of them
    void whatHasAnIteratorOfThePlatformAloneIsPlain() {
        Map<Integer, Integer> hash = new HashMap<>(Map.of(1, 2));
        Map<Integer, Integer> linked = new LinkedHashMap<>(hash);
        Map<Integer, Integer> concurrent = concurrent(hash);
        List<Integer> five = List.of(1, 2, 3, 4, 5);
        assertThat(Stream.<Collection<?>>of(
                        List.of(),
                        List.of(1),
                        five,
                        five.subList(1, 3),
                        Stream.of(1, 2).toList(),
                        Set.of(),
                        Set.of(1),
                        Set.of(1, 2, 3),
                        Arrays.asList(1, 2),
                        new ArrayList<>(five),
                        new ArrayList<>(five).subList(1, 3),
                        new LinkedList<>(),
                        new ArrayDeque<>(),
                        new PriorityQueue<>(),
                        new HashSet<>(),
                        new LinkedHashSet<>(),
                        hash.keySet(),
                        hash.values(),
                        hash.entrySet(),
                        linked.keySet(),
                        linked.values(),
                        linked.entrySet(),
                        concurrent.keySet(),
                        concurrent.values(),
                        concurrent.entrySet(),
                        Collections.emptyList(),
                        Collections.emptySet(),
                        Collections.singletonList(1),
                        Collections.singleton(1),
                        Collections.nCopies(3, 1),
                        new CopyOnWriteArrayList<>(),
                        new CopyOnWriteArraySet<>(),
                        new ConcurrentLinkedQueue<>()))
                .allMatch(WrappedCollectionsTest::isPlain);
    }

    @Test
    void whatMayGiveAnIteratorOfTheUsersIsNot() {
        Iterable<Integer> own = () -> List.of(1).iterator();
        assertThat(Stream.<Iterable<?>>of(
                        one(() -> {}),
                        Collections.synchronizedCollection(one(() -> {})),
                        Collections.checkedCollection(one(() -> {}), Integer.class),
                        Collections.unmodifiableList(new ArrayList<>(List.of(1))),
                        Collections.newSetFromMap(new HashMap<>()),
                        map().keySet(),
                        map().values(),
                        new ArrayList<>() {},
                        own))
                .noneMatch(WrappedCollectionsTest::isPlain);
    }
}
