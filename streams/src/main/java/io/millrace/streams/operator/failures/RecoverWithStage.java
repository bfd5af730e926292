package io.millrace.streams.operator.failures;

import io.millrace.streams.engine.island.Later;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.operator.substreams.RelayLogic;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import java.util.Optional;
import java.util.function.Supplier;

/** Lets everything through until upstream fails, and then goes on with other sources. */
public final class RecoverWithStage<T> extends LinearStage<T, T> {
    private final Supplier<Succession<T>> successions;

    public RecoverWithStage(String name, Supplier<Succession<T>> successions) {
        super(name);
        this.successions = successions;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new RecoverLogic(inherited);
    }

    private final class RecoverLogic extends RelayLogic<T> implements InHandler {
        private final Succession<T> succession = successions.get();

        RecoverLogic(Attributes inherited) {
            super(shape(), shape().out(), inherited);
            setHandlers(shape().in(), shape().out(), this);
        }

        @Override
        public void onPush() {
            push(shape().out(), grab(shape().in()));
        }

        @Override
        public void onPull() throws Exception {
            if (isClosed(shape().in())) {
                super.onPull();
            } else {
                pull(shape().in());
            }
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            new Later(this, () -> onRelayFailure(failure)).ask(); // once what was pushed before has arrived
        }

        @Override
        protected void onRelayFinish() {
            completeStage();
        }

        @Override
        protected void onRelayFailure(Throwable failure) throws Exception {
            Optional<Succession.Successor<T>> next = succession.after(failure);
            if (next.isPresent()) {
                relayAfter(next.get().delay(), next.get()::source);
            } else {
                failStage(failure);
            }
        }
    }
}
