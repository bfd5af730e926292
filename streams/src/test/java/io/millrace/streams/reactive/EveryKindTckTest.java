package io.millrace.streams.reactive;

import io.millrace.streams.Flow;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The TCK over every kind of source, identity flow and sink: a few minutes of waiting. */
@Behaviour("INT-9")
@EnabledIfSystemProperty(named = "millrace.deep", matches = "true")
@Timeout(600)
final class EveryKindTckTest extends TckTest {
    private static final int SHORT = 1000;

    @TempDir
    Path folder;

    private final Map<String, Function<Long, Source<Integer, ?>>> endless = new TreeMap<>(Map.of(
            "repeat", Tck::numbers,
            "unfold", n -> Source.unfold(0L, at -> at < n ? Optional.of(new Pair<>(at + 1, 1)) : Optional.empty()),
            "lazy", n -> Source.lazy(() -> Tck.numbers(n)),
            "fromRuntime", n -> Source.fromRuntime((own, attributes) -> Tck.numbers(n)),
            "fromPublisher", n -> Source.fromPublisher(Tck.numbers(n).toPublisher(runtime)),
            "async", n -> Tck.numbers(n).async(),
            "zip", n -> Tck.numbers(n).zipWith(Source.repeat(1), (a, b) -> a + b)));

    private final Map<String, Function<Long, Source<Integer, ?>>> finite = new TreeMap<>(Map.of(
            "range", n -> Source.range(0, n.intValue()),
            "iterable", n -> Source.from(Collections.nCopies(n.intValue(), 1)),
            "concat", n -> Tck.numbers(n / 2).concat(Tck.numbers(n - n / 2)),
            "merge", n -> Tck.numbers(n / 2).merge(Tck.numbers(n - n / 2)),
            "queue", this::queued,
            "path", this::read));

    private final Map<String, Function<Long, Source<Integer, ?>>> atMostOne = new TreeMap<>(Map.of(
            "single", n -> n == 0 ? Source.<Integer>empty() : Source.single(1),
            "future",
                    n -> n == 0
                            ? Source.<Integer>empty()
                            : Source.fromCompletionStage(CompletableFuture.completedFuture(1))));

    private Source<Integer, ?> queued(long count) {
        return Source.<Integer>queue(SHORT).mapMaterializedValue(queue -> {
            for (long i = 0; i < count; i++) {
                queue.offer(1);
            }
            queue.complete();
            return queue;
        });
    }

    private Source<Integer, ?> read(long count) {
        try {
            Path file = Files.write(folder.resolve("bytes" + count), new byte[(int) count]);
            return Source.fromPath(file, 1).map(chunk -> chunk.remaining());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> everySourcePasses() {
        return Stream.of(publishers(endless, Long.MAX_VALUE - 1), publishers(finite, SHORT), publishers(atMostOne, 1))
                .flatMap(List::stream);
    }

    private List<DynamicTest> publishers(Map<String, Function<Long, Source<Integer, ?>>> sources, long longest) {
        List<DynamicTest> tests = new ArrayList<>();
        sources.forEach((name, source) -> tests.addAll(Tck.tests(
                        name, () -> new Tck.Publishing(made -> made.toPublisher(runtime), source, longest))
                .toList()));
        return tests;
    }

    @TestFactory
    Stream<DynamicTest> everySinkPasses() {
        Map<String, Supplier<Sink<Integer, ?>>> sinks = new TreeMap<>(Map.of(
                "ignore", Sink::ignore,
                "foreach", () -> Sink.foreach(x -> {}),
                "fold", () -> Sink.fold(0, Integer::sum),
                "last", Sink::last,
                "seq", Sink::seq,
                "collect", () -> Sink.collect(Collectors.counting()),
                "onComplete", () -> Sink.onComplete(end -> {}),
                "async", () -> Sink.<Integer>ignore().async(),
                "path",
                        () -> Flow.<Integer>create()
                                .map(x -> java.nio.ByteBuffer.allocate(1))
                                .to(Sink.toPath(folder.resolve("out")))));
        List<DynamicTest> tests = new ArrayList<>();
        sinks.forEach((name, sink) ->
                tests.addAll(Tck.tests(name, () -> new Tck.Subscribing(into -> Tck.subscriberInto(into, runtime), sink))
                        .toList()));
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> everyIdentityFlowPasses() {
        Flow<Integer, Integer, ?> identity = Flow.<Integer>create();
        Map<String, Flow<Integer, Integer, ?>> flows = new TreeMap<>();
        flows.put("map", identity.map(x -> x));
        flows.put("filter", identity.filter(x -> true));
        flows.put("mapConcat", identity.mapConcat(List::of));
        flows.put("take", identity.take(Long.MAX_VALUE));
        flows.put("takeWhile", identity.takeWhile(x -> true));
        flows.put("drop", identity.drop(0));
        flows.put("scan", identity.scan(0, (last, x) -> x).drop(1));
        flows.put("mapAsync", identity.mapAsync(1, CompletableFuture::completedFuture));
        flows.put("mapAsyncUnordered", identity.mapAsyncUnordered(1, CompletableFuture::completedFuture));
        flows.put("buffer", identity.buffer(2, OverflowStrategy.BACKPRESSURE));
        flows.put("async", identity.async().map(x -> x));
        flows.put("concat", identity.concat(Source.empty()));
        flows.put("merge", identity.merge(Source.empty()));
        flows.put("balance", identity.balance(1, Flow.<Integer>create()));
        flows.put("alsoTo", identity.alsoTo(Sink.ignore()));
        flows.put("divertTo", identity.divertTo(Sink.ignore(), x -> false));
        flows.put("killSwitch", identity.via(KillSwitches.single()));
        flows.put("watchTermination", identity.watchTermination((left, right) -> right));
        flows.put("recover and mapError", identity.mapError(failure -> failure));
        flows.put("zipWith", identity.zipWith(Source.repeat(1), (x, one) -> x));
        flows.put(
                "retrying",
                identity.via(Flow.retrying(1, Backoff.NONE, Flow.<Integer>create(), (x, made) -> Optional.empty())));
        flows.put(
                "processor",
                identity.via(Flow.<Integer, Integer>fromProcessor(
                        () -> Flow.<Integer>create().toProcessor().run(runtime))));
        List<DynamicTest> tests = new ArrayList<>();
        flows.forEach((name, flow) -> tests.addAll(Tck.tests(
                        name,
                        () -> new Tck.Publishing(source -> source.via(flow).toPublisher(runtime)))
                .toList()));
        return tests.stream();
    }
}
