package io.millrace.benchmarks.actor;

import io.millrace.benchmarks.hub.Rounds;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Our stage actor: the handler counts, or pushes downstream, where each is counted. */
final class MillraceTold implements Told {
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(MillraceTold.class, "count", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final StreamRuntime runtime = StreamRuntime.create();
    private final boolean pushing;
    private final StageActorRef<Integer> ref;
    private final CompletableFuture<AsyncCallback<CompletableFuture<Long>>> other = new CompletableFuture<>();

    @SuppressWarnings("unused")
    private long count;

    MillraceTold(boolean pushing, int drainBatch) {
        this.pushing = pushing;
        ref = Source.fromGraph(new Stage())
                .withAttributes(Attributes.drainBatch(drainBatch))
                .toMat(Sink.foreach(number -> countOne()), Keep.left())
                .run(runtime);
    }

    private void countOne() {
        COUNT.setRelease(this, (long) COUNT.get(this) + 1);
    }

    @Override
    public String name() {
        return Rounds.OURS;
    }

    @Override
    public Consumer<Integer> address() {
        return ref::tell;
    }

    @Override
    public long effects() {
        return (long) COUNT.getAcquire(this);
    }

    /** Has another outside event of the same stage happen; the time at which it did. */
    CompletableFuture<Long> otherEvent() {
        CompletableFuture<Long> happened = new CompletableFuture<>();
        other.join().invoke(happened);
        return happened;
    }

    @Override
    public void close() {
        runtime.close();
    }

    private final class Stage extends GraphStageWithMaterializedValue<SourceShape<Integer>, StageActorRef<Integer>> {
        private final Outlet<Integer> out = Outlet.create("told.out");
        private final SourceShape<Integer> shape = SourceShape.of(out);

        @Override
        public SourceShape<Integer> shape() {
            return shape;
        }

        @Override
        public LogicAndValue<StageActorRef<Integer>> createLogicAndValue(Attributes inherited) {
            Logic logic = new Logic();
            return new LogicAndValue<>(logic, logic.actor);
        }

        private final class Logic extends GraphStageLogic implements OutHandler {
            private final StageActorRef<Integer> actor = stageActor(this::onNumber);

            Logic() {
                super(shape);
                setHandler(out, this);
                other.complete(asyncCallback(happened -> happened.complete(System.nanoTime())));
            }

            private void onNumber(Integer number) {
                if (!pushing) {
                    countOne();
                } else if (isAvailable(out)) {
                    push(out, number);
                }
            }

            @Override
            public void onPull() {
                // Numbers come by telling.
            }
        }
    }
}
