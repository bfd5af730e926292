package io.millrace.streams.operator.timing;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingToLongFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.operator.Weighing;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.GraphStageLogic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Emits lists of elements up to a weight; a list that has waited for so long since its first element goes as it is. */
public final class GroupedWithinStage<T> extends LinearStage<T, List<T>> {
    private static final String TIMER = "group";

    private final Duration within;
    private final Weighing<T> weighing;

    public GroupedWithinStage(
            String name, long maxWeight, Duration within, ThrowingToLongFunction<? super T> weightOf) {
        super(name);
        if (maxWeight < 1) {
            throw new IllegalArgumentException(name + ": a group has at least 1, not " + maxWeight);
        }
        this.within = Durations.positive(name, within);
        weighing = new Weighing<>(name, maxWeight, weightOf);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new GroupLogic(inherited);
    }

    private final class GroupLogic extends Logic<T, List<T>> {
        private final Attributes inherited;
        private List<T> group = new ArrayList<>();
        private long weight;
        private boolean isDue;
        private long dueNanos;
        /** The first element of the next group, which was too heavy for this one, and its weight. */
        private @Nullable T next;

        private long nextWeight;
        private long nextDueNanos;

        GroupLogic(Attributes inherited) {
            super(GroupedWithinStage.this);
            this.inherited = inherited;
        }

        @Override
        public void preStart() {
            pull(in);
        }

        @Override
        public void onPush() throws Exception {
            T element = grab(in);
            try {
                take(element, weighing.weight(element));
            } catch (Exception failure) {
                if (!Verdict.dropsElement(inherited, failure)) {
                    throw failure;
                }
            }
            goOn();
        }

        private void take(T element, long elementWeight) {
            if (!group.isEmpty() && weighing.isExceeded(weight, elementWeight)) {
                next = element;
                nextWeight = elementWeight;
                nextDueNanos = nowNanos() + Durations.nanos(within);
                isDue = true;
            } else {
                if (group.isEmpty()) {
                    begin(nowNanos() + Durations.nanos(within));
                }
                add(element, elementWeight);
            }
        }

        /** Begins a group that goes at this time at the latest. */
        private void begin(long due) {
            dueNanos = due;
            long waitNanos = due - nowNanos();
            if (waitNanos <= 0) {
                isDue = true;
            } else if (!isTimerActive(TIMER)) {
                scheduleOnce(TIMER, Duration.ofNanos(waitNanos));
            }
        }

        private void add(T element, long elementWeight) {
            group.add(element);
            weight += elementWeight;
            isDue |= weight >= weighing.most();
        }

        @Override
        public void onPull() {
            goOn();
        }

        @Override
        public void onUpstreamFinish() {
            goOn();
        }

        /** Comes too early when the group it was set for has gone: then it is set again for this one. */
        @Override
        public void onTimer(Object key) {
            long waitNanos = dueNanos - nowNanos();
            if (!group.isEmpty() && !isDue) {
                if (waitNanos > 0) {
                    scheduleOnce(TIMER, Duration.ofNanos(waitNanos));
                } else {
                    isDue = true;
                    goOn();
                }
            }
        }

        private void goOn() {
            if (!group.isEmpty() && isAvailable(out) && (isDue || isClosed(in))) {
                emitGroup();
            }
            if (isClosed(in)) {
                if (group.isEmpty()) {
                    completeStage();
                }
            } else if (next == null && weight < weighing.most()) {
                tryPull(in);
            }
        }

        private void emitGroup() {
            push(out, Collections.unmodifiableList(group));
            group = new ArrayList<>();
            weight = 0;
            isDue = false;
            T first = next;
            if (first != null) {
                next = null;
                begin(nextDueNanos);
                add(first, nextWeight);
            }
        }
    }
}
