package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.Supervision.Directive;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * One operator in a graph.
 *
 * @param others the sources it takes
 */
record Step(String name, Kind kind, Directive directive, List<Line> others) {
    Step with(Directive other) {
        return new Step(name, kind, other, others);
    }

    Step with(List<Line> other) {
        return new Step(name, kind, directive, other);
    }

    Flow<Object, Object, ?> flow() {
        List<Source<Object, ?>> sources = others.stream()
                .<Source<Object, ?>>map(line -> line.source(new AtomicInteger()))
                .toList();
        Supervision supervision = failure -> directive;
        return kind.body()
                .at(Flow.create(), name, sources)
                .named(name)
                .withAttributes(Attributes.supervision(supervision));
    }

    Pull interpreted(Pull upstream, boolean isUnasked, Interpretation run) {
        List<Supplier<Pull>> sources = others.stream()
                .<Supplier<Pull>>map(line -> () -> line.interpreted(run, false))
                .toList();
        return kind.over(upstream, isUnasked, new Place(name, directive, run), sources);
    }

    String text(String indent) {
        String text = kind.text().replace("$0", name);
        for (int i = 0; i < others.size(); i++) {
            text = text.replace("$" + (i + 1), others.get(i).text(indent + "        "));
        }
        return indent + ".via(Flow.<Object>create()." + text + ".named(\"" + name + "\")" + "\n" + indent
                + "        .withAttributes(Attributes.supervision(failure -> Supervision.Directive." + directive
                + ")))";
    }
}
