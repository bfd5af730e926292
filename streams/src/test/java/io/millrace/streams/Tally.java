package io.millrace.streams;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import org.jspecify.annotations.Nullable;

/**
 * The end of a stream of rising numbers that counts what is out of order and what is missing, and cancels after so many.
 *
 * <p><b>Shared:</b> all fields are volatile, written by the island, read by the test.
 */
final class Tally {
    private volatile long last = -1;
    private volatile int disorders;
    private volatile int gaps;
    private volatile @Nullable Throwable failure;
    private volatile boolean hasCompleted;
    private volatile boolean hasEnded;
    private volatile long first = -1;
    private volatile Runnable stop = () -> {};

    /** What it does after so many elements. */
    enum Ending {
        CANCEL,
        FAIL
    }

    static Sink<Long, Tally> sink(long most) {
        return sink(most, Ending.CANCEL);
    }

    static Sink<Long, Tally> sink(long most, Ending ending) {
        return Sink.fromGraph(new Stage(most, ending));
    }

    long first() {
        return first;
    }

    boolean hasCompleted() {
        return hasCompleted;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    long last() {
        return last;
    }

    int disorders() {
        return disorders;
    }

    int gaps() {
        return gaps;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    void stop() {
        stop.run();
    }

    private void saw(long element) {
        long before = last;
        if (before >= 0 && element <= before) {
            int more = disorders + 1;
            disorders = more;
        } else if (before >= 0 && element != before + 1) {
            int more = gaps + 1;
            gaps = more;
        }
        if (before < 0) {
            first = element;
        }
        last = element;
    }

    @Override
    public String toString() {
        return "last " + last + ", disorders " + disorders + ", gaps " + gaps + ", failure " + failure;
    }

    private static final class Stage extends GraphStageWithMaterializedValue<SinkShape<Long>, Tally> {
        private final Inlet<Long> in = Inlet.create("tally.in");
        private final SinkShape<Long> shape = SinkShape.of(in);
        private final long most;
        private final Ending ending;

        Stage(long most, Ending ending) {
            this.most = most;
            this.ending = ending;
        }

        @Override
        public SinkShape<Long> shape() {
            return shape;
        }

        @Override
        public LogicAndValue<Tally> createLogicAndValue(Attributes inherited) {
            Logic logic = new Logic();
            return new LogicAndValue<>(logic, logic.tally);
        }

        private final class Logic extends GraphStageLogic implements InHandler {
            private final Tally tally = new Tally();
            private long left = most;

            Logic() {
                super(shape);
                AsyncCallback<Done> stopping = asyncCallback(done -> completeStage());
                tally.stop = () -> stopping.invoke(Done.DONE);
                setHandler(in, this);
            }

            @Override
            public void preStart() {
                next();
            }

            private void next() {
                if (left-- > 0) {
                    pull(in);
                } else {
                    end();
                }
            }

            private void end() {
                if (ending == Ending.FAIL) {
                    throw new IllegalStateException("failed on purpose");
                }
                completeStage();
            }

            @Override
            public void onPush() {
                tally.saw(grab(in));
                next();
            }

            @Override
            public void onUpstreamFinish() {
                tally.hasCompleted = true;
                completeStage();
            }

            @Override
            public void postStop() {
                tally.hasEnded = true;
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
                tally.failure = failure;
                completeStage();
            }
        }
    }
}
