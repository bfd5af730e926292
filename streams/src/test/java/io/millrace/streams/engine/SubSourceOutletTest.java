package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.SubstreamNotRunException;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.streams.stage.StageConsumer;
import io.millrace.streams.stage.SubSourceOutlet;
import io.millrace.testkit.TestSink;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An outlet that a stage opens while it runs: room, demand, cancellation, and what becomes of one that nobody runs. */
final class SubSourceOutletTest extends EngineTest {
    private static final int CAPACITY = 4;

    /** Opens one outlet, does with it what it is told to, and notes its signals. */
    private static final class Owner extends GraphStageLogic implements OutHandler {
        private final CompletableFuture<Owner> started = new CompletableFuture<>();
        private final BlockingQueue<Object> signals = new LinkedBlockingQueue<>();
        private final StageActorRef<StageConsumer<Owner>> self = stageActor(action -> action.accept(this));
        private SubSourceOutlet<Integer> outlet;

        Owner(SourceShape<Integer> shape) {
            super(shape);
            setHandler(shape.out(), this);
        }

        @Override
        public void preStart() {
            outlet = subSourceOutlet("the outlet", CAPACITY);
            outlet.setHandler(new OutHandler() {
                @Override
                public void onPull() {
                    signals.add("pull");
                }

                @Override
                public void onDownstreamFinish(Throwable cause) {
                    signals.add(cause);
                }
            });
            started.complete(this);
        }

        @Override
        public void onPull() {
            // Nothing comes out of the stage itself.
        }

        void stop() {
            completeStage();
        }

        /** Does it in the island of the stage, and waits until it is done. */
        void tell(Consumer<SubSourceOutlet<Integer>> action) throws Exception {
            is(opened -> {
                action.accept(opened);
                return true;
            });
        }

        /** Asks in the island of the stage. */
        boolean is(Predicate<SubSourceOutlet<Integer>> question) throws Exception {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            self.tell(owner -> {
                try {
                    answer.complete(question.test(outlet));
                } catch (RuntimeException failure) {
                    answer.completeExceptionally(failure);
                }
            });
            return answer.get(10, TimeUnit.SECONDS);
        }

        Object signal() throws InterruptedException {
            return signals.poll(10, TimeUnit.SECONDS);
        }
    }

    private final CompletableFuture<Owner> made = new CompletableFuture<>();
    private Owner owner;
    private TestSink<Integer> ownerSink;

    @BeforeEach
    void start() throws Exception {
        StreamRuntime here = runtime;
        ownerSink = Source.fromGraph(TestStages.<Integer, NotUsed>source(shape -> {
                    Owner logic = new Owner(shape);
                    made.complete(logic);
                    return new LogicAndValue<>(logic, NotUsed.NOT_USED);
                }))
                .runWith(TestSink.probe(), here);
        owner = await(made.thenCompose(logic -> logic.started));
    }

    @AfterEach
    void stopOwner() {
        ownerSink.cancel();
    }

    private TestSink<Integer> runOutlet() {
        return Source.fromGraph(owner.outlet.source()).runWith(TestSink.probe(), runtime);
    }

    @Test
    void whatIsPushedBeforeAnybodyRunsItArrivesAlsoAfterTheOwnerHasStopped() throws Exception {
        owner.tell(outlet -> {
            outlet.push(1);
            outlet.push(2);
            outlet.complete();
        });
        owner.self.tell(Owner::stop);
        ownerSink.expectComplete();
        TestSink<Integer> sink = runOutlet();
        sink.request(5).expectNext(1, 2).expectComplete();
    }

    @Test
    void anEndThatCameBeforeAnybodyRanItNeedsNoDemand() throws Exception {
        owner.tell(SubSourceOutlet::complete);
        runOutlet().expectComplete();
    }

    @Test
    void anOwnerThatStopsWithoutEndingItFailsIt() throws Exception {
        owner.tell(outlet -> outlet.push(1));
        TestSink<Integer> sink = runOutlet();
        owner.self.tell(Owner::stop);
        sink.request(5).expectNext(1);
        assertThat(sink.expectError())
                .isInstanceOf(AbruptTerminationException.class)
                .hasMessageContaining("before it had ended its substream the outlet");
    }

    @Test
    void thereIsRoomForAsManyAsItsCapacityAndASignalWhenThereIsRoomAgain() throws Exception {
        for (int i = 0; i < CAPACITY; i++) {
            int element = i;
            assertThat(owner.is(SubSourceOutlet::isAvailable)).isTrue();
            owner.tell(outlet -> outlet.push(element));
        }
        assertThat(owner.is(SubSourceOutlet::isAvailable)).isFalse();
        assertThatThrownBy(() -> owner.tell(outlet -> outlet.push(9)))
                .hasRootCauseMessage("cannot push to substream the outlet: there is no room");
        assertThat(owner.is(SubSourceOutlet::isRun)).isFalse();
        TestSink<Integer> sink = runOutlet();
        sink.request(CAPACITY).expectNext(0, 1, 2, 3);
        assertThat(owner.signal()).isEqualTo("pull");
        assertThat(owner.is(SubSourceOutlet::isRun)).isTrue();
        owner.tell(outlet -> outlet.push(5));
        sink.request(1).expectNext(5);
        owner.tell(outlet -> outlet.fail(new IllegalStateException("mine")));
        assertThat(sink.expectError()).hasMessage("mine");
        assertThat(owner.is(SubSourceOutlet::isClosed)).isTrue();
    }

    @Test
    void cancellingTheSourceTellsTheOwner() throws Exception {
        TestSink<Integer> sink = runOutlet();
        assertThat(owner.signal()).isEqualTo("pull");
        RuntimeException mine = new IllegalStateException("mine");
        sink.cancel(mine);
        assertThat(owner.signal()).isSameAs(mine);
        assertThat(owner.is(SubSourceOutlet::isClosed)).isTrue();
    }

    @Test
    void aSecondRunFailsAndLeavesTheFirstAlone() throws Exception {
        TestSink<Integer> first = runOutlet();
        TestSink<Integer> second = runOutlet();
        assertThat(second.expectError())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the source of the outlet was run before; it can be run once");
        owner.tell(outlet -> outlet.push(1));
        first.request(1).expectNext(1);
        first.cancel();
    }

    @Test
    void itExpiresWhenNobodyRunsItInTime() throws Exception {
        owner.tell(outlet -> outlet.expireAfter(Duration.ofMillis(1)));
        assertThat(owner.signal()).isInstanceOf(SubstreamNotRunException.class);
        assertThat(runOutlet().expectError())
                .isInstanceOf(SubstreamNotRunException.class)
                .hasMessageContaining("was run too late");
        assertThat(owner.is(SubSourceOutlet::isClosed)).isTrue();
    }

    @Test
    void aStreamThatCannotStartGivesTheOutletUp() throws Exception {
        Sink<Integer, NotUsed> broken = Sink.fromGraph(TestStages.<Integer, NotUsed>sink(
                shape -> new LogicAndValue<>(new NeverStarting(shape), NotUsed.NOT_USED)));
        Source.fromGraph(owner.outlet.source()).to(broken).run(runtime);
        Object signal = owner.signal();
        assertThat(signal.equals("pull") ? owner.signal() : signal).isInstanceOf(IllegalStateException.class);
    }

    /** Fails when it is to start. */
    private static final class NeverStarting extends GraphStageLogic implements InHandler {
        NeverStarting(SinkShape<Integer> shape) {
            super(shape);
            setHandler(shape.in(), this);
        }

        @Override
        public void preStart() {
            throw new IllegalStateException("cannot start");
        }

        @Override
        public void onPush() {
            throw new IllegalStateException("was never started");
        }
    }
}
