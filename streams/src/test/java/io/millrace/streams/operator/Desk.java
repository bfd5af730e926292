package io.millrace.streams.operator;

import io.millrace.streams.Keep;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.StageActorRef;
import java.util.function.Consumer;

/** A stage that can be asked; it stops at a question about a negative number. */
public final class Desk extends GraphStageWithMaterializedValue<SinkShape<Integer>, StageActorRef<Desk.Question>> {
    private final Inlet<Integer> in = Inlet.create("desk.in");
    private final SinkShape<Integer> shape = SinkShape.of(in);
    private final Consumer<Question> answer;

    private Desk(Consumer<Question> answer) {
        this.answer = answer;
    }

    /** What a desk is asked. */
    public record Question(int number, StageActorRef.ReplyTo<Integer> reply) {}

    public static StageActorRef<Question> running(StreamRuntime runtime, Consumer<Question> answer) {
        return Source.<Integer>never().toMat(new Desk(answer), Keep.right()).run(runtime);
    }

    @Override
    public SinkShape<Integer> shape() {
        return shape;
    }

    @Override
    public LogicAndValue<StageActorRef<Question>> createLogicAndValue(Attributes inherited) {
        DeskLogic logic = new DeskLogic();
        return new LogicAndValue<>(logic, logic.self);
    }

    private final class DeskLogic extends GraphStageLogic implements InHandler {
        private final StageActorRef<Question> self = stageActor(this::onQuestion);

        DeskLogic() {
            super(shape);
            setHandler(in, this);
        }

        @Override
        public void onPush() {
            throw new IllegalStateException("nothing was asked for");
        }

        private void onQuestion(Question question) {
            if (question.number() < 0) {
                completeStage();
            } else {
                answer.accept(question);
            }
        }
    }
}
