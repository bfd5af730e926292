package io.millrace.streams.engine;

import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A line of random synchronous operators, as a stream and as plain loops over lists. */
public final class RandomPipeline {
    private final List<Operator> operators = new ArrayList<>();
    private final List<Integer> input;
    private final StringBuilder text = new StringBuilder();

    /** One operator in both forms. */
    public record Operator(Streamed streamed, Looped looped) {}

    public interface Streamed {
        Source<Integer, NotUsed> apply(Source<Integer, NotUsed> before);
    }

    public interface Looped {
        List<Integer> apply(List<Integer> before);
    }

    public RandomPipeline(Random random) {
        int count = random.nextInt(60);
        input = random.ints(random.nextInt(200), 0, 100).boxed().toList();
        for (int i = 0; i < count; i++) {
            int kind = random.nextInt(SynchronousOperators.KINDS.size());
            int k = random.nextInt(20);
            text.append(kind).append('(').append(k).append(") ");
            operators.add(SynchronousOperators.KINDS.get(kind).apply(k));
        }
    }

    @Override
    public String toString() {
        return input + " " + text;
    }

    /** The stream; {@code between} is put behind every operator. */
    public Source<Integer, NotUsed> streamed(Streamed between) {
        Source<Integer, NotUsed> stream = between.apply(Source.from(input));
        for (Operator operator : operators) {
            stream = between.apply(operator.streamed().apply(stream));
        }
        return stream;
    }

    public Source<Integer, NotUsed> streamed() {
        return streamed(stream -> stream);
    }

    /** The stream, with an asynchronous boundary behind some operators. */
    public Source<Integer, NotUsed> streamedOverBoundaries(Random random) {
        return streamed(stream -> random.nextInt(6) == 0
                ? stream.withAttributes(Attributes.asyncBoundary().and(Attributes.inputBuffer(1 + random.nextInt(40))))
                : stream);
    }

    public Source<Integer, NotUsed> streamedInterpreted() {
        return streamed(stream -> stream.via(new PassOnStage()));
    }

    public List<Integer> looped() {
        List<Integer> elements = input;
        for (Operator operator : operators) {
            elements = operator.looped().apply(elements);
        }
        return elements;
    }
}
