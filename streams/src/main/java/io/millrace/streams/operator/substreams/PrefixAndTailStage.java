package io.millrace.streams.operator.substreams;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.operator.sources.IterableSource;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.SubSourceOutlet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Emits one pair: the first elements, and a source of the others, which takes none before it is run. */
public final class PrefixAndTailStage<T, S> extends LinearStage<T, Pair<List<T>, S>> {
    private static final int TAIL_CAPACITY = 16;

    private final int count;
    private final Function<Graph<SourceShape<T>, NotUsed>, S> toTail;

    /**
     * @param toTail makes of the source of the others what is emitted in its place
     */
    public PrefixAndTailStage(int count, Function<Graph<SourceShape<T>, NotUsed>, S> toTail) {
        super("prefixAndTail");
        this.toTail = toTail;
        if (count < 0) {
            throw new IllegalArgumentException("count must not be negative: " + count);
        }
        this.count = count;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new PrefixLogic(Attributes.SubscriptionTimeout.of(inherited));
    }

    private final class PrefixLogic extends Logic<T, Pair<List<T>, S>> {
        private final Duration subscriptionTimeout;
        private final List<T> prefix = new ArrayList<>();
        private @Nullable SubSourceOutlet<T> tail;

        PrefixLogic(Duration subscriptionTimeout) {
            super(PrefixAndTailStage.this);
            this.subscriptionTimeout = subscriptionTimeout;
        }

        @Override
        public void onPull() {
            if (count == 0) {
                emitWithTail();
            } else {
                tryPull(in);
            }
        }

        @Override
        public void onPush() {
            T element = grab(in);
            SubSourceOutlet<T> after = tail;
            if (after != null) {
                after.push(element);
                pullFor(after);
                return;
            }
            prefix.add(element);
            if (prefix.size() == count) {
                emitWithTail();
            } else {
                pull(in);
            }
        }

        @Override
        public void onUpstreamFinish() {
            if (tail != null) {
                tail.complete();
                completeStage();
            } else {
                emit(out, new Pair<>(List.copyOf(prefix), toTail.apply(IterableSource.empty())));
                completeStage();
            }
        }

        private void emitWithTail() {
            SubSourceOutlet<T> after = subSourceOutlet("the tail of prefixAndTail", TAIL_CAPACITY);
            tail = after;
            after.setHandler(new OutHandler() {
                @Override
                public void onPull() {
                    pullFor(after);
                }
            });
            after.expireAfter(subscriptionTimeout);
            push(out, new Pair<>(List.copyOf(prefix), toTail.apply(after.source())));
            complete(out);
        }

        private void pullFor(SubSourceOutlet<T> after) {
            if (after.isAvailable()) {
                tryPull(in);
            }
        }
    }
}
