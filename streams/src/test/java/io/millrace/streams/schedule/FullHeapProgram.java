package io.millrace.streams.schedule;

import io.millrace.streams.Await;
import io.millrace.streams.FullHeap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Cancels timers while the heap is full, and more of them after that. */
final class FullHeapProgram {
    private static final int TIMERS = 1_000;
    private static final int FEW = 100;

    private FullHeapProgram() {}

    private static final class Member extends TrackedDisposable {
        @Override
        public void dispose() {}

        @Override
        public boolean isDisposed() {
            return false;
        }
    }

    public static void main(String[] arguments) {
        EventLoop loop = new EventLoop(new DaemonThreads("full-heap"));
        List<Disposable> first = schedule(loop);
        dispose(first, 0, TIMERS);
        awaitCompaction(loop);
        List<Disposable> timers = schedule(loop);
        FullHeap.fill();
        int refused = dispose(timers, FEW, TIMERS);
        FullHeap.empty();
        if (refused == 0) {
            throw new AssertionError("there was memory to compact the heap of timers");
        }
        dispose(timers, 0, FEW);
        awaitCompaction(loop);
        loop.close();
        removeMembers();
    }

    /** There is no memory for a shorter list. */
    private static void removeMembers() {
        DisposableList list = new DisposableList();
        TrackedDisposable[] members = new TrackedDisposable[TIMERS];
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < TIMERS; i++) {
                members[i] = new Member();
                list.add(members[i]);
            }
            FullHeap.fill();
            try {
                for (TrackedDisposable member : members) {
                    list.remove(member);
                }
            } finally {
                FullHeap.empty();
            }
        }
        if (list.size() != 0) {
            throw new AssertionError("members were left");
        }
    }

    private static List<Disposable> schedule(EventLoop loop) {
        List<Disposable> timers = new ArrayList<>();
        for (int i = 0; i < TIMERS; i++) {
            timers.add(loop.ownLane().schedule(() -> {}, Duration.ofDays(1)));
        }
        CountDownLatch passed = new CountDownLatch(1);
        loop.ownLane().schedule(passed::countDown);
        Await.until("they are in place", () -> passed.getCount() == 0);
        return timers;
    }

    /** How many threw that there is no memory. */
    private static int dispose(List<Disposable> timers, int from, int to) {
        int thrown = 0;
        for (int i = from; i < to; i++) {
            try {
                timers.get(i).dispose();
            } catch (OutOfMemoryError full) {
                thrown++;
            }
        }
        return thrown;
    }

    private static void awaitCompaction(EventLoop loop) {
        Await.until("the heap of timers was compacted", () -> loop.timerCount() < TIMERS / 2);
    }
}
