package io.millrace.streams.operator.failures;

import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.engine.failure.Suppressed;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Outcome;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.operator.FutureFailure;
import io.millrace.streams.operator.FutureWait;
import io.millrace.streams.operator.SourceStage;
import io.millrace.streams.operator.substreams.RelayLogic;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Emits what a source emits that is made of a resource, and cleans up after it exactly once, when that source has stopped: before it
 * completes or fails, or when it is cancelled. A resource that comes when the stage is gone is cleaned up where it comes.
 */
public final class UsingWhenSource<R, O> extends SourceStage<O> {
    private final ThrowingSupplier<? extends CompletionStage<R>> resources;
    private final ThrowingFunction<? super R, ? extends Graph<SourceShape<O>, ?>> body;
    private final ThrowingBiFunction<? super R, ? super Outcome, ? extends CompletionStage<?>> cleanup;

    public UsingWhenSource(
            ThrowingSupplier<? extends CompletionStage<R>> resources,
            ThrowingFunction<? super R, ? extends Graph<SourceShape<O>, ?>> body,
            ThrowingBiFunction<? super R, ? super Outcome, ? extends CompletionStage<?>> cleanup) {
        super("usingWhen");
        this.resources = Objects.requireNonNull(resources, "resources");
        this.body = Objects.requireNonNull(body, "body");
        this.cleanup = Objects.requireNonNull(cleanup, "cleanup");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new UsingLogic(inherited);
    }

    /** Called by whoever completes the future, which keeps nothing else of a stage that has stopped. */
    private void arrive(Arrival<R> arrival, AsyncCallback<Arrival<R>> toStage, Consumer<Throwable> reports) {
        toStage.invokeWithFeedback(arrival).whenComplete((done, refused) -> {
            if (refused instanceof StageStoppedException && arrival.resource() != null) {
                cleanUpLate(arrival.resource(), new Outcome.Cancelled(refused), reports);
            }
        });
    }

    /** Cleans up when the stage is gone. */
    private void cleanUpLate(R resource, Outcome outcome, Consumer<Throwable> reports) {
        FutureWait.whenDone(cleanUp(resource, outcome), (done, failure) -> reportLate(failure, reports));
    }

    private static void reportLate(@Nullable Throwable failure, Consumer<Throwable> reports) {
        if (failure != null) {
            reports.accept(FutureFailure.causeOf(failure));
        }
    }

    private CompletionStage<?> cleanUp(R resource, Outcome outcome) {
        try {
            return Step.required(cleanup.apply(resource, outcome), "usingWhen");
        } catch (Throwable failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** What became of the future of the resource. */
    private record Arrival<R>(
            @Nullable R resource, @Nullable Throwable failure) {}

    /** The cleanup has ended. */
    private record Cleaned(Outcome outcome, @Nullable Throwable failure) {}

    private final class UsingLogic extends RelayLogic<O> {
        private final AsyncCallback<Arrival<R>> arrived = asyncCallback(this::onArrived);
        private final AsyncCallback<Cleaned> cleaned = asyncCallback(this::onCleaned);
        private @Nullable Consumer<Throwable> reports;
        private @Nullable R held;
        private @Nullable Throwable cancellation;
        private @Nullable Outcome outcome;

        UsingLogic(Attributes inherited) {
            super(shape(), shape().out(), inherited);
            setHandler(shape().out(), this);
        }

        @Override
        public void preStart() {
            setKeepGoing(true);
            Consumer<Throwable> told =
                    StageContext.of(this).lateReports("the cleanup of a stream that was ended by force failed");
            reports = told;
            CompletionStage<R> coming;
            try {
                coming = Step.required(resources.make(), "usingWhen");
            } catch (Throwable failure) {
                failStage(failure);
                return;
            }
            AsyncCallback<Arrival<R>> toStage = arrived;
            FutureWait.whenDone(coming, (resource, failure) -> arrive(new Arrival<>(resource, failure), toStage, told));
        }

        private void onArrived(Arrival<R> arrival) throws Exception {
            R resource = arrival.resource();
            if (arrival.failure() != null) {
                failStage(FutureFailure.causeOf(arrival.failure()));
            } else if (resource == null) {
                failStage(new NullElementException(name(), "the future of the resource completed with null"));
            } else if (cancellation != null) {
                held = resource;
                end(new Outcome.Cancelled(cancellation));
            } else {
                held = resource;
                relay(() -> Step.required(body.apply(resource), "usingWhen"));
            }
        }

        @Override
        protected void onRelayFinish() throws Exception {
            end(new Outcome.Completed());
        }

        @Override
        protected void onRelayFailure(Throwable failure) throws Exception {
            end(new Outcome.Failed(failure));
        }

        @Override
        public void onDownstreamFinish(Throwable cause) throws Exception {
            cancellation = cause;
            cancelRelayed(cause);
            if (held != null) {
                end(new Outcome.Cancelled(cause));
            }
        }

        /** The first outcome counts. */
        private void end(Outcome how) throws Exception {
            if (outcome == null) {
                outcome = how;
                onceReleased(() -> cleanUpAfter(how));
            }
        }

        private void cleanUpAfter(Outcome how) {
            R resource = held;
            held = null;
            if (resource != null) {
                AsyncCallback<Cleaned> toStage = cleaned;
                Consumer<Throwable> told = reports();
                FutureWait.whenDone(
                        cleanUp(resource, how),
                        (done, failure) -> toStage.invokeWithFeedback(new Cleaned(how, failure))
                                .whenComplete((heard, refused) -> {
                                    if (refused instanceof StageStoppedException) {
                                        reportLate(failure, told);
                                    }
                                }));
            }
        }

        private Consumer<Throwable> reports() {
            return Objects.requireNonNull(reports, "reports");
        }

        private void onCleaned(Cleaned end) {
            Throwable failure = end.failure() == null ? null : FutureFailure.causeOf(end.failure());
            if (end.outcome() instanceof Outcome.Failed failed) {
                if (failure != null) {
                    Suppressed.add(failure, failed.failure());
                }
                StageContext.of(this).passFailure(failed.failure());
            } else if (failure == null) {
                completeStage();
            } else if (end.outcome() instanceof Outcome.Completed) {
                failStage(failure);
            } else {
                throw new IllegalStateException("the cleanup after a cancellation failed", failure);
            }
        }

        @Override
        public void postStop() {
            R resource = held;
            held = null;
            if (resource != null) {
                boolean hasFailed = outcome instanceof Outcome.Failed;
                cleanUpLate(
                        resource,
                        hasFailed ? Objects.requireNonNull(outcome) : new Outcome.Cancelled(abruptEnd()),
                        reports());
            }
        }
    }
}
