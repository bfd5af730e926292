package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.Supervision.Directive;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Replaces each element by what a function makes of it and a resource, which is made per run and closed at its end. */
public final class MapWithResourceStage<R, I, O> extends LinearStage<I, O> {
    private static final String NAME = "mapWithResource";

    private final ThrowingSupplier<? extends R> create;
    private final ThrowingBiFunction<? super R, ? super I, ? extends O> function;
    private final ThrowingFunction<? super R, Optional<O>> close;

    public MapWithResourceStage(
            ThrowingSupplier<? extends R> create,
            ThrowingBiFunction<? super R, ? super I, ? extends O> function,
            ThrowingFunction<? super R, Optional<O>> close) {
        super(NAME);
        this.create = Objects.requireNonNull(create, "create");
        this.function = Objects.requireNonNull(function, "function");
        this.close = Objects.requireNonNull(close, "close");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new ResourceLogic(inherited.find(Supervision.class).orElse(Supervision.stop()));
    }

    private final class ResourceLogic extends Logic<I, O> {
        private final Supervision supervision;
        private final Later later = new Later(this, this::closeAtEnd);
        private @Nullable R resource;

        ResourceLogic(Supervision supervision) {
            super(MapWithResourceStage.this);
            this.supervision = supervision;
        }

        @Override
        public void preStart() {
            try {
                resource = Step.required(create.make(), NAME);
            } catch (Throwable failure) {
                failStage(failure);
            }
        }

        @Override
        public void onPush() throws Exception {
            O made;
            try {
                made = Step.required(function.apply(open(), grab(in)), NAME);
            } catch (Exception failure) {
                supervise(failure);
                return;
            }
            push(out, made);
        }

        private R open() {
            return Objects.requireNonNull(resource, "the resource of " + NAME);
        }

        private void supervise(Exception failure) throws Exception {
            Directive directive = Verdict.on(failure, supervision);
            if (directive == Directive.STOP) {
                throw failure;
            }
            if (directive == Directive.RESTART) {
                closeOnce();
                resource = Step.required(create.make(), NAME);
            }
            tryPull(in);
        }

        @Override
        public void onPull() {
            tryPull(in);
        }

        @Override
        public void onUpstreamFinish() {
            later.ask(); // once what was pushed before has arrived
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            new Later(this, () -> failStage(failure)).ask();
        }

        private void closeAtEnd() throws Exception {
            closeOnce().ifPresent(last -> emit(out, last));
            completeStage();
        }

        @Override
        public void postStop() throws Exception {
            closeOnce();
        }

        private Optional<O> closeOnce() throws Exception {
            R closing = resource;
            resource = null;
            return closing == null ? Optional.empty() : Step.required(close.apply(closing), NAME);
        }
    }
}
