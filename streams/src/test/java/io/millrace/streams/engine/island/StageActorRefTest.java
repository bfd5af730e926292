package io.millrace.streams.engine.island;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.streams.stage.StageActorRef.ReplyTo;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StageActorRefTest {
    private final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    /** A stage that answers nothing. */
    private static final class Silent
            extends GraphStageWithMaterializedValue<SourceShape<String>, StageActorRef<Object>> {
        private final SourceShape<String> shape = SourceShape.of(Outlet.create("silent.out"));

        @Override
        public SourceShape<String> shape() {
            return shape;
        }

        @Override
        public LogicAndValue<StageActorRef<Object>> createLogicAndValue(Attributes inherited) {
            Logic logic = new Logic(shape);
            return new LogicAndValue<>(logic, logic.ref);
        }

        private static final class Logic extends GraphStageLogic implements OutHandler {
            private final StageActorRef<Object> ref = stageActor(message -> {});

            Logic(SourceShape<String> shape) {
                super(shape);
                setHandler(shape.out(), this);
            }

            @Override
            public void onPull() {
                // It has nothing to say.
            }
        }
    }

    @Test
    void aQuestionThatCouldNotBeSentIsForgotten() {
        StageActorRef<Object> ref =
                Source.fromGraph(new Silent()).to(Sink.ignore()).run(runtime);
        Function<ReplyTo<String>, Object> failing = reply -> {
            throw new IllegalStateException("no question, on purpose");
        };
        assertThatThrownBy(() -> ref.ask(failing, Duration.ofHours(1))).hasMessageContaining("on purpose");
        assertThat(((StageActor<Object>) ref).awaitingEnd()).isZero();
        assertThat(ref.<String>ask(reply -> "a question", Duration.ofHours(1))).isNotNull();
        assertThat(((StageActor<Object>) ref).awaitingEnd()).isOne();
    }

    @Test
    void allHearOfTheEndThoughFailuresHaveNoText() {
        StageActorRef<Object> ref =
                Source.fromGraph(new Silent()).to(Sink.ignore()).run(runtime);
        AtomicInteger told = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            ref.onTermination(() -> {
                told.incrementAndGet();
                throw new IllegalStateException() {
                    @Override
                    public String getMessage() {
                        throw new UnsupportedOperationException("no text, on purpose");
                    }
                };
            });
        }
        runtime.close();
        Await.until("all have heard", () -> told.get() == 20);
    }
}
