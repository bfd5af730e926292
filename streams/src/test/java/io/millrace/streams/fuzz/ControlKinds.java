package io.millrace.streams.fuzz;

import io.millrace.streams.BidiFlow;
import io.millrace.streams.Flow;
import io.millrace.streams.FlowWithContext;
import io.millrace.streams.Junctions;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.graph.LogSettings;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision.Directive;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Operators that let elements alone, and flows made of other parts. */
final class ControlKinds {
    static final List<Function<Dice, Kind>> ALL = List.of(
            dice -> same(
                    "watchTermination",
                    "watchTermination(Keep.left())",
                    f -> f.watchTermination(Keep.<Object, Object>left())),
            dice -> same("monitor", "monitor(Keep.left())", f -> f.monitor(Keep.<Object, Object>left())),
            dice -> same("killSwitch", "killSwitch(Keep.left())", f -> f.killSwitch(Keep.<Object, Object>left())),
            dice -> same(
                    "log",
                    "log(\"fuzz\", LogSettings.defaults().withFailure(System.Logger.Level.DEBUG))",
                    f -> f.log("fuzz", LogSettings.defaults().withFailure(System.Logger.Level.DEBUG))),
            dice -> same("checkpoint", "checkpoint(\"here\")", f -> f.checkpoint("here")),
            ControlKinds::onErrorContinue,
            ControlKinds::context,
            ControlKinds::groupedContext,
            ControlKinds::bidi,
            ControlKinds::sinkAndSource,
            dice -> JunctionKinds.passing(
                    "Sink.combine",
                    "alsoTo(Sink.combine(List.of(Sink.ignore(), Sink.ignore()), Junctions::broadcast))"
                            + ".alsoTo(Sink.combine(List.of(Sink.ignore(), Sink.ignore()), Junctions::balance))",
                    f -> f.alsoTo(Sink.<Object>combine(List.of(Sink.ignore(), Sink.ignore()), Junctions::broadcast))
                            .alsoTo(Sink.<Object>combine(List.of(Sink.ignore(), Sink.ignore()), Junctions::balance))),
            dice -> JunctionKinds.passing(
                    "Sink.lazy",
                    "alsoTo(Sink.lazy(() -> Sink.ignore()))",
                    f -> f.alsoTo(Sink.lazy(() -> Sink.<Object>ignore()))));

    private ControlKinds() {}

    private static Kind same(String operator, String text, UnaryOperator<Flow<Object, Object, ?>> way) {
        return Kind.of(operator, text, (f, step, o) -> way.apply(f), (upstream, place, others) -> upstream);
    }

    /** What stands above it drops elements, whatever stands below is to do. */
    private static Kind onErrorContinue(Dice dice) {
        Fault fault = dice.fault();
        Change change = dice.change();
        Kind.Model each = Steps.each((x, place) -> fault.of(place.step(), x, change.of(x)));
        return Kind.of(
                "onErrorContinue",
                "map(x -> " + fault.text("$0", "Change." + change + ".of(x)") + ").onErrorContinue(failure -> {})",
                (f, step, o) -> f.map(x -> fault.of(step, x, change.of(x))).onErrorContinue(failure -> {}),
                (upstream, place, others) -> each.over(upstream, place.with(Directive.RESUME), others));
    }

    private static Kind context(Dice dice) {
        Fault fault = dice.fault();
        return Kind.of(
                        "context",
                        "map(x -> new Pair<>(x, Fault.hash(x, 9))).via(FlowWithContext.<Object, Integer>create().map(x"
                                + " -> "
                                + fault.text("$0", "Change.TWICE.of(x)")
                                + ").filter(x -> Fault.hash(x, 5) != 1).mapConcat(Change::some).mapContext(n -> n + 1)"
                                + ".asFlow()).map(p -> (Object) List.of(p.first(), p.second()))",
                        (f, step, o) -> f.map(x -> new Pair<>(x, Fault.hash(x, 9)))
                                .via(FlowWithContext.<Object, Integer>create()
                                        .map(x -> fault.of(step, x, Change.TWICE.of(x)))
                                        .filter(x -> Fault.hash(x, 5) != 1)
                                        .mapConcat(Change::some)
                                        .mapContext(n -> n + 1)
                                        .asFlow())
                                .map(pair -> (Object) List.of(pair.first(), pair.second())),
                        Steps.model(place -> new Steps() {
                            @Override
                            void take(Object x) throws Exception {
                                Object made = place.present(fault.of(place.step(), x, Change.TWICE.of(x)));
                                if (Fault.hash(made, 5) != 1) {
                                    Change.some(made).forEach(y -> out.add(List.of(y, Fault.hash(x, 9) + 1)));
                                }
                            }
                        }))
                .with(0, Kind.Trait.HOLDS);
    }

    private static Kind groupedContext(Dice dice) {
        int size = dice.from(1, 4);
        return Kind.of(
                "context grouped",
                "zipWithIndex().via(FlowWithContext.<Object, Long>create().grouped(" + size
                        + ").asFlow()).map(p -> (Object) List.of(p.first(), p.second()))",
                (f, step, o) -> f.zipWithIndex()
                        .via(FlowWithContext.<Object, Long>create()
                                .grouped(size)
                                .asFlow())
                        .map(pair -> (Object) List.of(pair.first(), pair.second())),
                Steps.model(place -> new Steps() {
                    private final List<Object> group = new ArrayList<>();
                    private final List<Object> numbers = new ArrayList<>();
                    private long count;

                    @Override
                    void take(Object x) {
                        group.add(x);
                        numbers.add(count++);
                        if (group.size() == size) {
                            end();
                        }
                    }

                    @Override
                    void end() {
                        if (!group.isEmpty()) {
                            out.add(List.of(List.copyOf(group), List.copyOf(numbers)));
                        }
                        group.clear();
                        numbers.clear();
                    }
                }));
    }

    private static Kind bidi(Dice dice) {
        Change down = dice.change();
        Change up = dice.change();
        return Kind.of(
                "BidiFlow",
                "via(BidiFlow.<Object, Object, Object, Object>fromFunctions(Change." + down + "::of, Change." + up
                        + "::of).atop(BidiFlow.<Object, Object>identity().reversed()).join(Flow.<Object,"
                        + " Object>of(Change.TWICE::of)))",
                (f, step, o) ->
                        f.via(BidiFlow.<Object, Object, Object, Object>fromFunctions(x -> down.of(x), x -> up.of(x))
                                .atop(BidiFlow.<Object, Object>identity().reversed())
                                .join(Flow.<Object, Object>of(Change.TWICE::of))),
                Steps.each((x, place) -> up.of(Change.TWICE.of(down.of(x)))));
    }

    /** What comes from above ends in a sink, and what goes on comes from a source. */
    private static Kind sinkAndSource(Dice dice) {
        return Kind.of(
                        "fromSinkAndSource",
                        "via(Flow.fromSinkAndSource(Sink.<Object>ignore(), $1))",
                        (f, step, o) -> f.via(Flow.fromSinkAndSource(Sink.<Object>ignore(), o.get(0))),
                        (upstream, place, others) -> JunctionKinds.one(others))
                .with(1, Kind.Trait.AHEAD);
    }
}
