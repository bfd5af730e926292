package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Sources that run as streams of their own, shared or behind a publisher, and those that run elsewhere. */
final class RuntimeKinds {
    private static final Scheduler ELSEWHERE = Schedulers.elastic();

    static final List<Function<Dice, Kind>> ALL = List.of(
            dice -> kind(
                    "toPublisher",
                    "Source.fromPublisher($1.toPublisher(runtime))",
                    (runtime, o) -> Source.fromPublisher(o.toPublisher(runtime)),
                    1),
            dice -> kind(
                    "fromProcessor",
                    "$1.via(Flow.fromProcessor(() -> Flow.<Object>create().toProcessor().run(runtime)))",
                    (runtime, o) -> o.via(Flow.<Object, Object>fromProcessor(
                            () -> Flow.<Object>create().toProcessor().run(runtime))),
                    1),
            dice -> kind(
                    "publish",
                    "$1.publish(runtime).refCount()",
                    (runtime, o) -> o.publish(runtime).refCount(),
                    1),
            dice -> kind(
                    "replay",
                    "$1.replay(4, runtime).refCount()",
                    (runtime, o) -> o.replay(4, runtime).refCount(),
                    1),
            dice -> kind("cache", "RuntimeKinds.twice($1.cache(runtime))", (runtime, o) -> twice(o.cache(runtime)), 2),
            dice -> kind(
                    "preMaterialize",
                    "$1.preMaterialize(runtime).second()",
                    (runtime, o) -> o.preMaterialize(runtime).second(),
                    1),
            dice -> kind(
                    "subscribeOn", "$1.subscribeOn(Schedulers.elastic())", (runtime, o) -> o.subscribeOn(ELSEWHERE), 1),
            dice -> kind("observeOn", "$1.observeOn(Schedulers.elastic())", (runtime, o) -> o.observeOn(ELSEWHERE), 1),
            dice -> JunctionKinds.passing(
                    "async on a scheduler",
                    "map(x -> x).async(Schedulers.elastic())",
                    f -> f.map(x -> x).async(ELSEWHERE)));

    private RuntimeKinds() {}

    static Source<Object, ?> twice(Source<Object, ?> source) {
        return source.concat(source);
    }

    /** Goes on with what is made of another source, so many times. */
    private static Kind kind(
            String operator,
            String text,
            BiFunction<Materializer, Source<Object, ?>, Source<Object, ?>> source,
            int times) {
        return Kind.of(
                        operator,
                        "concat(Source.<Object, Object>fromRuntime((runtime, attributes) -> " + text
                                + ".mapMaterializedValue(value -> value)))",
                        (f, step, o) -> f.concat(Source.<Object, Object>fromRuntime((runtime, attributes) ->
                                source.apply(runtime, o.get(0)).mapMaterializedValue(value -> (Object) value))),
                        (upstream, place, others) -> {
                            Pull all = upstream;
                            for (int i = 0; i < times; i++) {
                                all = JunctionKinds.chain(
                                        all,
                                        () -> place.run()
                                                .overtaking(others.get(0).get()));
                            }
                            return all;
                        })
                .with(1, Kind.Trait.AHEAD);
    }
}
