package io.millrace.streams.fuzz;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An operator of the interpreter that is told of one element after the other. */
abstract class Steps {
    /** What it has emitted. */
    final Queue<Object> out = new ArrayDeque<>();

    /** Whether it has completed by itself. */
    boolean isDone;

    /** Whether it has no state that supervision drops. */
    boolean isLasting;

    /** Takes one element. */
    abstract void take(Object element) throws Exception;

    /** Upstream has completed. */
    void end() throws Exception {}

    /** Takes each element as this function does. */
    static Kind.Model each(Taking taking) {
        return model(place -> new Steps() {
            @Override
            void take(Object element) throws Exception {
                Object made = taking.of(element, place);
                if (made != NOTHING) {
                    out.add(place.present(made));
                }
            }
        });
    }

    /** What a function makes that makes no element. */
    static final Object NOTHING = new Object();

    @FunctionalInterface
    interface Taking {
        @Nullable
        Object of(Object element, Place place) throws Exception;
    }

    @FunctionalInterface
    interface Making {
        Steps at(Place place);
    }

    static Kind.Model model(Making making) {
        return (upstream, place, others) -> new Running(upstream, place, () -> making.at(place));
    }

    /** Asks upstream only when nothing is left to be emitted. */
    private static final class Running implements Pull {
        private final Pull upstream;
        private final Place place;
        private final Supplier<Steps> anew;
        private Steps steps;
        private boolean isEnded;

        Running(Pull upstream, Place place, Supplier<Steps> anew) {
            this.upstream = upstream;
            this.place = place;
            this.anew = anew;
            steps = anew.get();
        }

        @Override
        public @Nullable Object next() {
            while (steps.out.isEmpty() && !isEnded && !steps.isDone) {
                advance();
            }
            return steps.out.poll();
        }

        private void advance() {
            Object element = upstream.next();
            try {
                if (element == null) {
                    isEnded = true;
                    steps.end();
                } else {
                    steps.take(element);
                }
            } catch (Throwable thrown) {
                if (isEnded) {
                    throw place.failed(thrown);
                }
                if (place.losesState(thrown) && !steps.isLasting) {
                    Steps before = steps;
                    steps = anew.get();
                    steps.out.clear();
                    steps.out.addAll(before.out);
                }
            }
        }
    }
}
