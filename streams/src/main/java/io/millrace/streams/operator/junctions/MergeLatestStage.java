package io.millrace.streams.operator.junctions;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** For each element that comes, once every input has had one, emits the latest element of every input. */
public final class MergeLatestStage<T> extends FanInStage<T, List<T>> {
    public MergeLatestStage(int inputCount) {
        super("mergeLatest", inputCount);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic(shape());
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final FanInShape<T, List<T>> shape;
        private final Queue<Integer> waiting = new ArrayDeque<>();
        private final @Nullable Object[] latest;
        private int unknown;
        private int openInputs;

        Logic(FanInShape<T, List<T>> shape) {
            super(shape);
            this.shape = shape;
            latest = new Object[shape.inputCount()];
            unknown = latest.length;
            openInputs = latest.length;
            setHandler(shape.out(), this);
            for (int i = 0; i < latest.length; i++) {
                setHandler(shape.in(i), new Input(i));
            }
        }

        @Override
        public void preStart() {
            for (int i = 0; i < latest.length; i++) {
                pull(shape.in(i));
            }
        }

        @Override
        public void onPull() {
            pass();
        }

        private void pass() {
            Integer next = waiting.peek();
            while (next != null && (staysIncomplete(next) || isAvailable(shape.out()))) {
                waiting.remove();
                take(next);
                next = waiting.peek();
            }
            if (openInputs == 0 && waiting.isEmpty()) {
                completeStage();
            }
        }

        private boolean staysIncomplete(int input) {
            return unknown > (latest[input] == null ? 1 : 0);
        }

        @SuppressWarnings("unchecked")
        private void take(int input) {
            if (latest[input] == null) {
                unknown--;
            }
            latest[input] = grab(shape.in(input));
            if (unknown == 0) {
                push(shape.out(), (List<T>) List.of(latest.clone()));
            }
            tryPull(shape.in(input));
        }

        private final class Input implements InHandler {
            private final int number;

            Input(int number) {
                this.number = number;
            }

            @Override
            public void onPush() {
                waiting.add(number);
                pass();
            }

            @Override
            public void onUpstreamFinish() {
                openInputs--;
                if (latest[number] == null && !isAvailable(shape.in(number))) {
                    completeStage();
                } else {
                    pass();
                }
            }
        }
    }
}
