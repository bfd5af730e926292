package io.millrace.streams.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.testkit.Behaviour;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DisposablesTest {
    /** Knows its place where it is tracked. */
    private static final class Flag extends TrackedDisposable {
        private boolean disposed;

        @Override
        public void dispose() {
            disposed = true;
        }

        @Override
        public boolean isDisposed() {
            return disposed;
        }
    }

    /** Knows no place. */
    private static final class PlainFlag implements Disposable {
        private boolean disposed;

        @Override
        public void dispose() {
            disposed = true;
        }

        @Override
        public boolean isDisposed() {
            return disposed;
        }
    }

    private static final class Counted extends TrackedDisposable {
        private final AtomicInteger count;

        Counted(AtomicInteger count) {
            this.count = count;
        }

        @Override
        public void dispose() {
            count.incrementAndGet();
        }

        @Override
        public boolean isDisposed() {
            return false;
        }
    }

    private record PlainCounted(AtomicInteger count, Object identity) implements Disposable {
        PlainCounted(AtomicInteger count) {
            this(count, new Object());
        }

        @Override
        public void dispose() {
            count.incrementAndGet();
        }

        @Override
        public boolean isDisposed() {
            return false;
        }
    }

    @Test
    void aCompositeHoldsWhatASetHolds() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        CompositeDisposable composite = new CompositeDisposable();
        Set<Disposable> model = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Disposable> all = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            if (all.isEmpty() || random.nextInt(5) < 2) {
                Disposable flag = random.nextBoolean() ? new Flag() : new PlainFlag();
                all.add(flag);
                model.add(flag);
                assertThat(composite.add(flag)).isTrue();
                assertThat(composite.add(flag)).as("added twice").isTrue();
            } else {
                Disposable flag = all.get(random.nextInt(all.size()));
                assertThat(composite.remove(flag)).as("seed " + seed).isEqualTo(model.remove(flag));
            }
            assertThat(composite.size()).isEqualTo(model.size());
        }
        composite.dispose();
        assertThat(all).allSatisfy(flag -> assertThat(flag.isDisposed()).isEqualTo(model.contains(flag)));
    }

    @Test
    void aCompositeOfTrackedMembersGrowsAndShrinks() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        CompositeDisposable composite = new CompositeDisposable();
        List<Flag> inside = new ArrayList<>();
        List<Flag> outside = new ArrayList<>();
        for (int target : new int[] {3, 9, 40, 1, 0, 5_000, 2_100, 1_030, 2_000, 7, 1_500, 0, 1}) {
            for (int churn = 3_000; inside.size() != target || churn > 0; churn--) {
                if (inside.isEmpty() || inside.size() < target || (inside.size() == target && random.nextBoolean())) {
                    Flag flag = outside.isEmpty() || random.nextBoolean()
                            ? new Flag()
                            : outside.remove(random.nextInt(outside.size()));
                    assertThat(composite.add(flag)).isTrue();
                    assertThat(composite.add(flag)).as("added twice").isTrue();
                    inside.add(flag);
                } else {
                    Flag flag = inside.remove(random.nextInt(inside.size()));
                    assertThat(composite.remove(flag)).as("seed " + seed).isTrue();
                    assertThat(composite.remove(flag)).as("seed " + seed).isFalse();
                    outside.add(flag);
                }
                assertThat(composite.size()).as("seed " + seed).isEqualTo(inside.size());
            }
        }
        composite.clear();
        assertThat(composite.size()).isZero();
        assertThat(inside).allMatch(flag -> flag.disposed);
        assertThat(outside).noneMatch(flag -> flag.disposed);
        assertThat(composite.remove(inside.get(0))).isFalse();
        assertThat(composite.add(inside.get(0))).isTrue();
        assertThat(composite.size()).isOne();
    }

    @Test
    void aTrackedMemberMayBeInTwoComposites() {
        CompositeDisposable one = new CompositeDisposable();
        CompositeDisposable other = new CompositeDisposable();
        Flag flag = new Flag();
        assertThat(one.add(flag)).isTrue();
        assertThat(other.remove(flag)).isFalse();
        assertThat(other.add(flag)).isTrue();
        assertThat(other.add(flag)).isTrue();
        assertThat(one.remove(flag)).isTrue();
        assertThat(one.remove(flag)).isFalse();
        assertThat(other.add(flag)).isTrue();
        assertThat(other.size()).isOne();
        assertThat(other.add(new Flag())).isTrue();
        assertThat(other.remove(flag)).isTrue();
        assertThat(other.size()).isOne();
        assertThat(flag.disposed).isFalse();
    }

    @Test
    void aCompositeKeepsNothingThatHasLeft() {
        CompositeDisposable composite = new CompositeDisposable();
        List<Flag> stay = new ArrayList<>();
        List<WeakReference<Flag>> left = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            Flag flag = new Flag();
            composite.add(flag);
            if (i % 7 == 0) {
                stay.add(flag);
            } else {
                left.add(new WeakReference<>(flag));
            }
        }
        Collections.shuffle(left, new Random(7));
        left.forEach(reference -> composite.remove(reference.get()));
        Await.until("what has left is garbage", () -> {
            System.gc();
            return left.stream().allMatch(reference -> reference.get() == null);
        });
        assertThat(composite.size()).isEqualTo(stay.size());
        stay.forEach(composite::remove);
        assertThat(composite.size()).isZero();
    }

    @Test
    void aDisposedCompositeDisposesWhatComesLater() {
        CompositeDisposable composite = new CompositeDisposable();
        composite.dispose();
        composite.dispose();
        Flag late = new Flag();
        assertThat(composite.add(late)).isFalse();
        assertThat(late.disposed).isTrue();
        assertThat(composite.isDisposed()).isTrue();
    }

    @Test
    void aClearedCompositeStaysOpen() {
        CompositeDisposable composite = new CompositeDisposable();
        Flag first = new Flag();
        composite.add(first);
        composite.clear();
        assertThat(first.disposed).isTrue();
        assertThat(composite.add(new Flag())).isTrue();
        assertThat(composite.size()).isOne();
    }

    @Test
    void aSerialPlaceIsOpenWhateverIsPutIn() {
        SerialDisposable serial = new SerialDisposable();
        Flag next = new Flag();
        assertThat(serial.set(Disposable.disposed())).isTrue();
        assertThat(serial.isDisposed()).isFalse();
        assertThat(serial.set(next)).isTrue();
        assertThat(next.disposed).isFalse();
        serial.dispose();
        assertThat(next.disposed).isTrue();
        assertThat(serial.set(Disposable.disposed())).isFalse();
    }

    @Test
    void aSerialDisposesTheOneBeforeAndAllAfterItsEnd() {
        SerialDisposable serial = new SerialDisposable();
        Flag first = new Flag();
        Flag second = new Flag();
        Flag late = new Flag();
        assertThat(serial.set(first)).isTrue();
        assertThat(serial.set(second)).isTrue();
        assertThat(first.disposed).isTrue();
        assertThat(second.disposed).isFalse();
        serial.dispose();
        assertThat(second.disposed).isTrue();
        assertThat(serial.set(late)).isFalse();
        assertThat(late.disposed).isTrue();
        assertThat(serial.isDisposed()).isTrue();
    }

    @Test
    @Behaviour("SCH-9")
    void aListHoldsWhatASetHoldsWhoeverStaysInIt() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        DisposableList list = new DisposableList();
        Flag pinned = new Flag();
        list.add(pinned);
        assertThatThrownBy(() -> list.add(pinned)).isInstanceOf(IllegalStateException.class);
        assertThat(new DisposableList().remove(pinned)).isFalse();
        List<Flag> inside = new ArrayList<>();
        List<Flag> outside = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            if (inside.isEmpty() || random.nextBoolean()) {
                Flag flag = new Flag();
                list.add(flag);
                inside.add(flag);
            } else {
                Flag flag = inside.remove(random.nextInt(inside.size()));
                assertThat(list.remove(flag)).as("seed " + seed).isTrue();
                assertThat(list.remove(flag)).as("seed " + seed).isFalse();
                outside.add(flag);
            }
            assertThat(list.size()).as("seed " + seed).isEqualTo(inside.size() + 1);
        }
        list.disposeAll();
        assertThat(list.size()).isZero();
        assertThat(pinned.disposed).isTrue();
        assertThat(inside).allMatch(flag -> flag.disposed);
        assertThat(outside).noneMatch(flag -> flag.disposed);
    }

    @Test
    @Behaviour("SCH-7")
    void eachMemberOfACompositeIsDisposedOrRemovedOnceWhenThreadsMeet() throws Exception {
        long seed = new Random().nextLong();
        Random seeds = new Random(seed);
        for (int round = 0; round < 200; round++) {
            CompositeDisposable composite = new CompositeDisposable();
            AtomicInteger removed = new AtomicInteger();
            AtomicInteger disposed = new AtomicInteger();
            Thread[] threads = new Thread[3];
            for (int t = 0; t < threads.length; t++) {
                Random random = new Random(seeds.nextLong());
                threads[t] = new Thread(() -> addAndRemove(composite, random, removed, disposed));
                threads[t].start();
            }
            for (int spins = seeds.nextInt(20_000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            composite.dispose();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(removed.get() + disposed.get()).as("seed " + seed).isEqualTo(3 * 300);
            assertThat(composite.size()).isZero();
        }
    }

    private static void addAndRemove(
            CompositeDisposable composite, Random random, AtomicInteger removed, AtomicInteger disposed) {
        List<Disposable> mine = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Disposable member = random.nextBoolean() ? new Counted(disposed) : new PlainCounted(disposed);
            composite.add(member);
            mine.add(member);
            if (random.nextBoolean() && composite.remove(mine.remove(random.nextInt(mine.size())))) {
                removed.incrementAndGet();
            }
        }
        for (Disposable member : mine) {
            if (composite.remove(member)) {
                removed.incrementAndGet();
            }
        }
    }

    @Test
    void aTimerInASetKeepsItsTime() throws Exception {
        CompositeDisposable set = new CompositeDisposable();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch timerRan = new CountDownLatch(1);
        AtomicBoolean isEarly = new AtomicBoolean();
        Scheduler scheduler = Schedulers.eventLoops(1);
        Worker worker = scheduler.createWorker();
        Worker other = scheduler.createWorker();
        Disposable unused = other.schedule(() -> {
            while (busy.getCount() > 0) {
                Thread.onSpinWait();
            }
        });
        Duration wait = Duration.ofMillis(500);
        long dueNanos = System.nanoTime() + wait.toNanos();
        set.add(worker.schedule(
                () -> {
                    isEarly.compareAndSet(false, System.nanoTime() - dueNanos < 0);
                    timerRan.countDown();
                },
                wait));
        set.add(worker.schedulePeriodically(() -> isEarly.set(true), Duration.ofHours(1), Duration.ofHours(1)));
        assertThat(set.size()).isEqualTo(2);
        busy.countDown();
        assertThat(timerRan.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(isEarly).isFalse();
        set.dispose();
        worker.dispose();
        CountDownLatch ran = new CountDownLatch(1);
        Disposable unusedRun = other.schedule(ran::countDown);
        assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
        scheduler.close();
    }

    @Test
    void aListRefusesATimerWhichKeepsItsTime() throws Exception {
        DisposableList list = new DisposableList();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch ranOnce = new CountDownLatch(1);
        AtomicBoolean tooEarly = new AtomicBoolean();
        try (Scheduler scheduler = Schedulers.eventLoops(1)) {
            Worker worker = scheduler.createWorker();
            Disposable unused = scheduler.schedule(() -> Await.until("all are queued", () -> busy.getCount() == 0));
            long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
            List<Disposable> timers = List.of(
                    worker.schedule(
                            () -> {
                                tooEarly.set(System.nanoTime() - due < 0);
                                ranOnce.countDown();
                            },
                            Duration.ofMillis(500)),
                    worker.schedulePeriodically(() -> {}, Duration.ofHours(1), Duration.ofHours(1)));
            for (Disposable timer : timers) {
                assertThatThrownBy(() -> list.add((TrackedDisposable) timer)).isInstanceOf(IllegalStateException.class);
            }
            busy.countDown();
            assertThat(ranOnce.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(tooEarly).isFalse();
            assertThat(list.size()).isZero();
            CountDownLatch ran = new CountDownLatch(1);
            Disposable unusedRun = scheduler.schedule(ran::countDown);
            assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }
}
