package io.millrace.streams.engine.island;

import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The end of a stream that runs into a sub-sink; it hands each signal over to the owner's island.
 *
 * <p><b>Threads</b>: any runs it.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code isRun}: set once by compare-and-set. {@code cancellation}: volatile, written by the owner before it closes its mailbox, read by the stream
 * that finds that closed. {@code end}: volatile, written by who runs it, read by the owner, who lets go of it.<br>
 * <b>States</b>: waiting -> run, once; a second run is refused.<br>
 * <b>Proved by</b>: OutsideEventsTest.
 */
final class SubSinkStage<T> extends GraphStage<SinkShape<T>> {
    private final String name;
    private final AsyncCallback<SubSignal<T>> toOwner;
    private final Inlet<T> in;
    private final SinkShape<T> shape;
    private final boolean keepsStream;
    private final AtomicBoolean isRun = new AtomicBoolean();
    private volatile @Nullable Throwable cancellation;
    /** The last stage of the stream that runs into it, if that is kept. */
    private volatile @Nullable StageContext end;

    SubSinkStage(String name, AsyncCallback<SubSignal<T>> toOwner, boolean keepsStream) {
        this.name = name;
        this.keepsStream = keepsStream;
        this.toOwner = toOwner;
        this.in = Inlet.create(name + ".in");
        this.shape = SinkShape.of(in);
    }

    /** A stream that begins when the owner has stopped listening is cancelled with this. */
    void cancelledWith(Throwable cause) {
        cancellation = cause;
    }

    /** The stream that runs into it, of which it keeps nothing any more; null if there is none. */
    @Nullable
    StreamRun takeStream() {
        StageContext last = end;
        end = null;
        return last == null ? null : last.streamIfBound();
    }

    @Override
    public SinkShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "subSink:" + name;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        if (!isRun.compareAndSet(false, true)) {
            throw new IllegalStateException("sub-sink " + name + " was run into twice");
        }
        Logic logic = new Logic();
        if (keepsStream) {
            end = StageContext.of(logic);
        }
        return logic;
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private final AsyncCallback<SubDemand> demand = asyncCallback(this::onDemand);
        private final AsyncCallback<Throwable> ownerGone = asyncCallback(this::cancelIn);
        private final CompletableFuture<Done> ended = promise();

        Logic() {
            super(shape);
            setHandler(in, this);
            CompletionStage<Done> end = ended;
            end.whenComplete((done, failure) -> {
                if (failure != null) {
                    toOwner.invoke(new SubSignal.Ended<>(failure));
                }
            });
        }

        @Override
        public void preStart() {
            toOwner.invokeWithFeedback(new SubSignal.Attached<>(demand)).whenComplete((done, failure) -> {
                if (failure != null) {
                    ownerGone.invoke(whyGone(failure));
                }
            });
        }

        private Throwable whyGone(Throwable failure) {
            Throwable told = cancellation;
            if (told != null) {
                return told;
            }
            return failure instanceof StageStoppedException ? new DownstreamFinished() : failure;
        }

        @Override
        public void onPush() {
            toOwner.invoke(new SubSignal.Element<>(grab(in)));
        }

        @Override
        public void onUpstreamFinish() {
            ended.complete(Done.DONE);
            toOwner.invoke(new SubSignal.Ended<>(null));
            completeStage();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            ended.complete(Done.DONE);
            toOwner.invoke(new SubSignal.Ended<>(failure));
            failStage(failure);
        }

        private void onDemand(SubDemand signal) {
            if (signal.cancellation() == null) {
                tryPull(in);
            } else {
                cancelIn(signal.cancellation());
            }
        }

        private void cancelIn(Throwable cause) {
            ended.complete(Done.DONE);
            cancel(in, cause);
        }
    }
}
