package io.millrace.streams.operator.sources;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.Supervision.Directive;
import io.millrace.streams.graph.ThrowingConsumer;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.operator.SourceStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Emits what is read from a resource until there is no more. The resource is opened when first asked and closed exactly
 * once, however the stream ends.
 */
public final class UnfoldResourceSource<R, O> extends SourceStage<O> {
    private final ThrowingSupplier<? extends R> open;
    private final ThrowingFunction<? super R, Optional<O>> read;
    private final ThrowingConsumer<? super R> close;

    public UnfoldResourceSource(
            String name,
            ThrowingSupplier<? extends R> open,
            ThrowingFunction<? super R, Optional<O>> read,
            ThrowingConsumer<? super R> close) {
        super(name);
        this.open = Objects.requireNonNull(open, "open");
        this.read = Objects.requireNonNull(read, "read");
        this.close = Objects.requireNonNull(close, "close");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new ResourceLogic(inherited.find(Supervision.class).orElse(Supervision.stop()));
    }

    private final class ResourceLogic extends Logic<O> {
        private final Supervision supervision;
        private final StageWakeUp again = StageWakeUp.of(this, nothing -> onAgain());
        private @Nullable R resource;

        ResourceLogic(Supervision supervision) {
            super(UnfoldResourceSource.this);
            this.supervision = supervision;
        }

        @Override
        public void onPull() throws Exception {
            R opened = opened();
            Optional<O> next;
            try {
                next = Step.required(read.apply(opened), name());
            } catch (Exception failure) {
                supervise(failure);
                return;
            }
            if (next.isPresent()) {
                push(out, next.get());
            } else {
                closeOnce();
                completeStage();
            }
        }

        private R opened() throws Exception {
            R opened = resource;
            if (opened == null) {
                opened = Step.<R>required(open.make(), name());
                resource = opened;
            }
            return opened;
        }

        /** Tries again after other events of the island, so that what always fails can be ended. */
        private void supervise(Exception failure) throws Exception {
            Directive directive = Verdict.on(failure, supervision);
            if (directive == Directive.STOP) {
                throw failure;
            }
            if (directive == Directive.RESTART) {
                closeOnce();
            }
            again.run();
        }

        private void onAgain() throws Exception {
            if (isAvailable(out)) {
                onPull();
            }
        }

        @Override
        public void postStop() throws Exception {
            closeOnce();
        }

        private void closeOnce() throws Exception {
            R closing = resource;
            resource = null;
            if (closing != null) {
                close.accept(closing);
            }
        }
    }
}
