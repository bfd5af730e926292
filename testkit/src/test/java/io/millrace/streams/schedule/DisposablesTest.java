package io.millrace.streams.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DisposablesTest {
    private static final class Flag implements Disposable {
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

    @Test
    void aCompositeHoldsWhatASetHolds() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        CompositeDisposable composite = new CompositeDisposable();
        Set<Flag> model = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Flag> all = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            if (all.isEmpty() || random.nextInt(5) < 2) {
                Flag flag = new Flag();
                all.add(flag);
                model.add(flag);
                assertThat(composite.add(flag)).isTrue();
            } else {
                Flag flag = all.get(random.nextInt(all.size()));
                assertThat(composite.remove(flag)).as("seed " + seed).isEqualTo(model.remove(flag));
            }
            assertThat(composite.size()).isEqualTo(model.size());
        }
        composite.dispose();
        assertThat(all).allSatisfy(flag -> assertThat(flag.disposed).isEqualTo(model.contains(flag)));
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
}
