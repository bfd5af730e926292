package io.millrace.streams.fuzz;

import io.millrace.streams.Source;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A source and the operators on it. */
record Line(Origin origin, List<Step> steps) {
    Source<Object, ?> source(AtomicInteger pulls) {
        Source<Object, ?> source = origin.source(pulls);
        for (Step step : steps) {
            source = source.via(step.flow());
        }
        return source;
    }

    Pull interpreted(Interpretation run, boolean isCounted) {
        Pull pull = origin.interpreted(run, isCounted);
        boolean isUnasked = !origin.isExact();
        for (Step step : steps) {
            pull = step.interpreted(pull, isUnasked, run);
            isUnasked |= step.kind().isUnasked();
        }
        return pull;
    }

    /** Whether every operator asks for elements only as it needs them. */
    boolean isExact() {
        return origin.isExact() && steps.stream().allMatch(step -> step.kind().isExact());
    }

    /** The operators of this line and of those within it. */
    Stream<Step> allSteps() {
        return steps.stream()
                .flatMap(step ->
                        Stream.concat(Stream.of(step), step.others().stream().flatMap(Line::allSteps)));
    }

    String text(String indent) {
        StringBuilder text = new StringBuilder(origin.text());
        steps.forEach(step -> text.append('\n').append(step.text(indent)));
        return text.toString();
    }
}
