package io.millrace.streams.fuzz;

import io.millrace.streams.graph.Supervision.Directive;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** A whole graph, and smaller ones like it. */
record Program(Line line, Ending ending) {
    private static final List<Function<Dice, Kind>> KINDS = Stream.of(
                    ElementKinds.ALL,
                    ElementKinds.ALL,
                    GroupKinds.ALL,
                    TimingKinds.ALL,
                    LatestKinds.ALL,
                    JunctionKinds.ALL,
                    FanInKinds.ALL,
                    PartKinds.ALL,
                    ControlKinds.ALL,
                    FailureKinds.ALL,
                    FailureKinds.ALL,
                    RestartKinds.ALL,
                    RuntimeKinds.ALL,
                    FutureKinds.ALL,
                    SubstreamKinds.ALL)
            .flatMap(List::stream)
            .toList();

    /** So many in half of the graphs are operators that run as segments. */
    private static final List<Function<Dice, Kind>> SYNCHRONOUS = Stream.of(
                    ElementKinds.ALL,
                    GroupKinds.ALL.subList(0, 12),
                    FailureKinds.ALL.subList(0, 1),
                    TimingKinds.ALL.subList(0, 2),
                    ControlKinds.ALL.subList(0, 9))
            .flatMap(List::stream)
            .toList();

    /** The graph that this seed stands for. */
    static Program drawn(long seed) {
        Dice dice = new Dice(seed);
        int[] count = {0};
        return new Program(
                line(dice, 0, dice.oneIn(2) ? SYNCHRONOUS : KINDS, count), dice.of(List.of(Ending.values())));
    }

    private static Line line(Dice dice, int depth, List<Function<Dice, Kind>> kinds, int[] count) {
        Origin origin = Origin.drawn(dice, "o" + count[0]++);
        List<Step> steps = new ArrayList<>();
        int size = dice.below(depth == 0 ? 7 : 3);
        for (int i = 0; i < size; i++) {
            Kind kind = dice.of(kinds).apply(dice);
            List<Line> others = new ArrayList<>();
            for (int k = 0; k < kind.others(); k++) {
                others.add(line(dice, depth + 1, depth < 2 ? kinds : SYNCHRONOUS, count));
            }
            steps.add(new Step("s" + count[0]++, kind, dice.directive(), others));
        }
        return new Line(origin, steps);
    }

    boolean isExact() {
        return line.isExact() && ending.isExact();
    }

    String text() {
        return line.text("        ") + "\n        .runWith(" + ending.text() + ", runtime)";
    }

    /** Graphs that are a little smaller, the smallest first. */
    List<Program> smaller() {
        List<Program> all = new ArrayList<>();
        line.steps().stream()
                .flatMap(step -> step.others().stream())
                .forEach(other -> all.add(new Program(other, ending)));
        smaller(line).forEach(fewer -> all.add(new Program(fewer, ending)));
        if (ending != Ending.FOREACH) {
            all.add(new Program(line, Ending.FOREACH));
        }
        return all;
    }

    private static List<Line> smaller(Line line) {
        List<Line> all = new ArrayList<>();
        for (int i = 0; i < line.steps().size(); i++) {
            List<Step> fewer = new ArrayList<>(line.steps());
            fewer.remove(i);
            all.add(new Line(line.origin(), fewer));
        }
        List<Object> elements = line.origin().elements();
        int size = elements.size();
        if (size > 1) {
            all.add(new Line(line.origin().with(elements.subList(0, size / 2)), line.steps()));
            all.add(new Line(line.origin().with(elements.subList(size / 2, size)), line.steps()));
        }
        for (int i = 0; i < Math.min(size, 12); i++) {
            List<Object> fewer = new ArrayList<>(elements);
            fewer.remove(i);
            all.add(new Line(line.origin().with(fewer), line.steps()));
        }
        for (int i = 0; i < line.steps().size(); i++) {
            Step step = line.steps().get(i);
            if (step.directive() != Directive.STOP) {
                all.add(replaced(line, i, step.with(Directive.STOP)));
            }
            for (int k = 0; k < step.others().size(); k++) {
                for (Line fewer : smaller(step.others().get(k))) {
                    List<Line> others = new ArrayList<>(step.others());
                    others.set(k, fewer);
                    all.add(replaced(line, i, step.with(others)));
                }
            }
        }
        return all;
    }

    private static Line replaced(Line line, int at, Step step) {
        List<Step> steps = new ArrayList<>(line.steps());
        steps.set(at, step);
        return new Line(line.origin(), steps);
    }
}
