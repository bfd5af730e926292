package io.millrace.benchmarks.actor;

import io.millrace.benchmarks.hub.PekkoSystem;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import scala.runtime.BoxedUnit;

/** Pekko's stage actor, with the same handlers. */
final class PekkoTold implements Told {
    private final ActorSystem system = PekkoSystem.start();
    private final AtomicLong count = new AtomicLong();
    private final CompletableFuture<ActorRef> ref = new CompletableFuture<>();
    private final boolean pushing;

    PekkoTold(boolean pushing) {
        this.pushing = pushing;
        Source.fromGraph(new Stage()).runWith(Sink.foreach(number -> countOne()), system);
    }

    private void countOne() {
        count.lazySet(count.getPlain() + 1);
    }

    @Override
    public String name() {
        return "pekko";
    }

    @Override
    public Consumer<Integer> address() {
        ActorRef actor = ref.join();
        return number -> actor.tell(number, ActorRef.noSender());
    }

    @Override
    public long effects() {
        return count.get();
    }

    @Override
    public void close() {
        PekkoSystem.stop(system);
    }

    private final class Stage extends GraphStage<SourceShape<Integer>> {
        private final Outlet<Integer> out = Outlet.create("told.out");
        private final SourceShape<Integer> shape = SourceShape.of(out);

        @Override
        public SourceShape<Integer> shape() {
            return shape;
        }

        @Override
        public GraphStageLogic createLogic(Attributes inherited) {
            return new Logic();
        }

        private final class Logic extends GraphStageLogic {
            Logic() {
                super(shape);
                setHandler(out, new AbstractOutHandler() {
                    @Override
                    public void onPull() {
                        // Numbers come by telling.
                    }
                });
            }

            @Override
            public void preStart() {
                ref.complete(getStageActor(senderAndNumber -> {
                            onNumber((Integer) senderAndNumber._2());
                            return BoxedUnit.UNIT;
                        })
                        .ref());
            }

            private void onNumber(Integer number) {
                if (!pushing) {
                    countOne();
                } else if (isAvailable(out)) {
                    push(out, number);
                }
            }
        }
    }
}
