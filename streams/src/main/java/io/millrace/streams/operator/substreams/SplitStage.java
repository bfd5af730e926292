package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.failure.SubstreamNotRunException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingPredicate;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Emits one substream after the other, split before or behind the elements for which a condition holds. */
public final class SplitStage<T, S> extends LinearStage<T, S> {
    private final boolean before;
    private final ThrowingPredicate<? super T> condition;
    private final BiFunction<Long, Graph<SourceShape<T>, NotUsed>, S> toSubstream;

    private SplitStage(
            String name,
            boolean before,
            ThrowingPredicate<? super T> condition,
            BiFunction<Long, Graph<SourceShape<T>, NotUsed>, S> toSubstream) {
        super(name);
        this.toSubstream = toSubstream;
        this.before = before;
        this.condition = Objects.requireNonNull(condition, "condition");
    }

    /** Each element for which the condition holds begins a substream. */
    public static <T, S> SplitStage<T, S> before(
            ThrowingPredicate<? super T> condition, BiFunction<Long, Graph<SourceShape<T>, NotUsed>, S> toSubstream) {
        return new SplitStage<>("splitWhen", true, condition, toSubstream);
    }

    /** Each element for which the condition holds ends a substream. */
    public static <T, S> SplitStage<T, S> behind(
            ThrowingPredicate<? super T> condition, BiFunction<Long, Graph<SourceShape<T>, NotUsed>, S> toSubstream) {
        return new SplitStage<>("splitAfter", false, condition, toSubstream);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new SplitLogic(inherited);
    }

    private final class SplitLogic extends SplittingLogic<Long, T, S> {
        private @Nullable Substream current;
        private boolean dropping;
        private boolean endsHere;
        private long count;

        SplitLogic(Attributes inherited) {
            super(SplitStage.this, toSubstream, inherited);
        }

        @Override
        void route(T element) throws Exception {
            boolean splits;
            try {
                splits = condition.test(element);
            } catch (Exception failure) {
                if (Verdict.dropsElement(inherited, failure)) {
                    goOn();
                    return;
                }
                throw failure;
            }
            boolean begins = before ? splits : endsHere;
            endsHere = splits && !before;
            if (begins) {
                endCurrent();
                dropping = false;
            }
            if (current != null) {
                give(current, element);
            } else if (dropping || isClosed(out)) {
                goOn();
            } else {
                Substream next = new Substream(count++);
                current = next;
                open(next, element);
            }
        }

        private void endCurrent() {
            if (current != null) {
                current.complete();
                current = null;
            }
        }

        @Override
        void settled() {
            if (endsHere) {
                endCurrent();
            }
        }

        @Override
        void cancelled(Substream substream, @Nullable T held) {
            if (current == substream) {
                current = null;
                dropping = true;
            }
        }

        @Override
        Collection<Substream> open() {
            return current == null ? List.of() : List.of(current);
        }

        @Override
        @Nullable
        Throwable standstill() {
            return isHeldByOneNotRun()
                    ? new SubstreamNotRunException(
                            "nobody has run substream " + heldKey() + " of " + name() + " within " + patience()
                                    + "; run each as it comes, or raise Attributes.subscriptionTimeout")
                    : null;
        }
    }
}
