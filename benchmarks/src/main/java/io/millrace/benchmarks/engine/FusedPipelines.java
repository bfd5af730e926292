package io.millrace.benchmarks.engine;

import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pekko.stream.ActorAttributes;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The same synchronous pipelines in every library, each ending in the sum of what comes out. */
final class FusedPipelines {
    static final int ELEMENTS = 100_000;
    static final List<Integer> INPUT = IntStream.range(0, ELEMENTS).boxed().toList();
    private static final int PAIRS = 10;
    private static final int TAKEN = 90_000;

    private FusedPipelines() {}

    /** What every library must make of the pipeline. */
    static int expected(String pipeline) {
        return switch (pipeline) {
            case "map-filter" -> streamMapFilter();
            case "mixed" -> loopMixed();
            default ->
                INPUT.stream().filter(x -> x % 1000 != 7).mapToInt(x -> x + 1).sum();
        };
    }

    private static int loopMixed() {
        int sum = 0;
        int running = 0;
        int count = 0;
        for (int i = 0; i < TAKEN; i++) {
            for (int copy = 0; copy < 2; copy++) {
                sum += running + copy + (count++ & 7);
            }
            running = (running + INPUT.get(i)) & 0xFFFF;
        }
        return sum;
    }

    private static int failing(int x) {
        if (x % 1000 == 7) {
            throw new IllegalArgumentException("not this one");
        }
        return x + 1;
    }

    static int streamMapFilter() {
        Stream<Integer> stream = INPUT.stream();
        for (int i = 0; i < PAIRS; i++) {
            int k = i;
            stream = stream.map(x -> x + k).filter(x -> x != -1);
        }
        return stream.reduce(0, Integer::sum);
    }

    static RunnableGraph<CompletionStage<Integer>> millrace(String pipeline) {
        Source<Integer, NotUsed> source = Source.from(INPUT);
        source = switch (pipeline) {
            case "map-filter" -> {
                for (int i = 0; i < PAIRS; i++) {
                    int k = i;
                    source = source.map(x -> x + k).filter(x -> x != -1);
                }
                yield source;
            }
            case "mixed" ->
                source.scan(0, (sum, x) -> (sum + x) & 0xFFFF)
                        .take(TAKEN)
                        .mapConcat(x -> List.of(x, x + 1))
                        .statefulMap(
                                () -> 0,
                                (count, x) -> new Pair<>(count + 1, x + (count & 7)),
                                count -> Optional.empty());
            default -> source.map(FusedPipelines::failing).withAttributes(Attributes.supervision(Supervision.resume()));
        };
        return source.toMat(Sink.fold(0, Integer::sum), Keep.right());
    }

    static org.apache.pekko.stream.javadsl.RunnableGraph<CompletionStage<Integer>> pekko(String pipeline) {
        org.apache.pekko.stream.javadsl.Source<Integer, org.apache.pekko.NotUsed> source =
                org.apache.pekko.stream.javadsl.Source.from(INPUT);
        source = switch (pipeline) {
            case "map-filter" -> {
                for (int i = 0; i < PAIRS; i++) {
                    int k = i;
                    source = source.map(x -> x + k).filter(x -> x != -1);
                }
                yield source;
            }
            case "mixed" ->
                source.scan(0, (Integer sum, Integer x) -> (sum + x) & 0xFFFF)
                        .take(TAKEN)
                        .mapConcat(x -> List.of(x, x + 1))
                        .statefulMap(
                                () -> 0,
                                (Integer count, Integer x) ->
                                        org.apache.pekko.japi.Pair.create(count + 1, x + (count & 7)),
                                count -> Optional.empty());
            default ->
                source.map(FusedPipelines::failing)
                        .withAttributes(ActorAttributes.withSupervisionStrategy(
                                org.apache.pekko.stream.Supervision.getResumingDecider()));
        };
        return source.toMat(
                org.apache.pekko.stream.javadsl.Sink.fold(0, Integer::sum),
                org.apache.pekko.stream.javadsl.Keep.right());
    }

    /** RxJava has no supervision: there a stream per element is what drops one that throws. */
    static Single<Integer> rxJava(String pipeline) {
        Flowable<Integer> flow = Flowable.fromIterable(INPUT);
        if (pipeline.equals("map-filter")) {
            for (int i = 0; i < PAIRS; i++) {
                int k = i;
                flow = flow.map(x -> x + k).filter(x -> x != -1);
            }
        } else if (pipeline.equals("supervised")) {
            flow = flow.concatMapMaybe(x -> Maybe.fromCallable(() -> failing(x)).onErrorComplete());
        } else {
            Flowable<Integer> twice =
                    flow.scan(0, (sum, x) -> (sum + x) & 0xFFFF).take(TAKEN).concatMapIterable(x -> List.of(x, x + 1));
            flow = Flowable.defer(() -> {
                int[] count = {0};
                return twice.map(x -> x + (count[0]++ & 7));
            });
        }
        return flow.reduce(0, Integer::sum);
    }

    static Mono<Integer> reactor(String pipeline) {
        Flux<Integer> flow = Flux.fromIterable(INPUT);
        if (pipeline.equals("map-filter")) {
            for (int i = 0; i < PAIRS; i++) {
                int k = i;
                flow = flow.map(x -> x + k).filter(x -> x != -1);
            }
        } else if (pipeline.equals("mixed")) {
            Flux<Integer> twice =
                    flow.scan(0, (sum, x) -> (sum + x) & 0xFFFF).take(TAKEN).concatMapIterable(x -> List.of(x, x + 1));
            flow = Flux.defer(() -> {
                int[] count = {0};
                return twice.map(x -> x + (count[0]++ & 7));
            });
        } else {
            flow = flow.map(FusedPipelines::failing).onErrorContinue((failure, element) -> {});
        }
        return flow.reduce(0, Integer::sum);
    }
}
