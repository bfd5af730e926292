package io.millrace.streams.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Marks that are put into what is to be forgotten, and how many of them can still be reached. It counts objects, as it shares its heap. */
final class Kept {
    private static final int COLLECTIONS = 200;

    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
    private final Set<PhantomReference<Object>> reachable = ConcurrentHashMap.newKeySet();

    /** One more mark, which nobody keeps but who asked. */
    Object mark() {
        Object mark = new Object();
        reachable.add(new PhantomReference<>(mark, collected));
        return mark;
    }

    /** Fails unless so many at most can be reached, soon. */
    void assertAtMost(int most, String what) {
        for (int i = 0; i < COLLECTIONS && count() > most; i++) {
            System.gc();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        assertThat(count()).as("%s that can be reached", what).isLessThanOrEqualTo(most);
    }

    private int count() {
        for (Object gone = collected.poll(); gone != null; gone = collected.poll()) {
            reachable.remove(gone);
        }
        return reachable.size();
    }
}
