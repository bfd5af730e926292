package io.millrace.benchmarks.engine;

import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.NotUsed;
import io.reactivex.rxjava3.core.Flowable;
import java.util.List;
import org.apache.pekko.actor.ActorSystem;
import reactor.core.publisher.Flux;

/** Ten pipelines with functions of their own, which make call sites see many types. */
final class OtherPipelines {
    private OtherPipelines() {}

    static int millrace(int kind, List<Integer> input, StreamRuntime runtime) {
        Source<Integer, NotUsed> source = Source.from(input);
        Source<Integer, NotUsed> other = switch (kind) {
            case 0 -> source.map(x -> x + 1).map(x -> x * 2);
            case 1 -> source.filter(x -> x % 2 == 0).map(x -> -x);
            case 2 -> source.map(x -> x ^ 5).filter(x -> x > 3);
            case 3 -> source.take(5_000).map(x -> x - 7);
            case 4 -> source.drop(100).filter(x -> x % 3 != 0);
            case 5 -> source.scan(0, (sum, x) -> sum ^ x);
            case 6 -> source.mapConcat(x -> List.of(x, x));
            case 7 -> source.takeWhile(x -> x < 9_000).map(x -> x >> 1);
            case 8 -> source.map(String::valueOf).map(String::length);
            default -> source.grouped(10).map(List::size);
        };
        return other.toMat(Sink.fold(0, (sum, x) -> sum + x), Keep.right())
                .run(runtime)
                .toCompletableFuture()
                .join();
    }

    static int pekko(int kind, List<Integer> input, ActorSystem system) {
        org.apache.pekko.stream.javadsl.Source<Integer, org.apache.pekko.NotUsed> source =
                org.apache.pekko.stream.javadsl.Source.from(input);
        org.apache.pekko.stream.javadsl.Source<Integer, org.apache.pekko.NotUsed> other = switch (kind) {
            case 0 -> source.map(x -> x + 1).map(x -> x * 2);
            case 1 -> source.filter(x -> x % 2 == 0).map(x -> -x);
            case 2 -> source.map(x -> x ^ 5).filter(x -> x > 3);
            case 3 -> source.take(5_000).map(x -> x - 7);
            case 4 -> source.drop(100).filter(x -> x % 3 != 0);
            case 5 -> source.scan(0, (Integer sum, Integer x) -> sum ^ x);
            case 6 -> source.mapConcat(x -> List.of(x, x));
            case 7 -> source.takeWhile(x -> x < 9_000).map(x -> x >> 1);
            case 8 -> source.map(String::valueOf).map(String::length);
            default -> source.grouped(10).map(List::size);
        };
        return other.runWith(org.apache.pekko.stream.javadsl.Sink.fold(0, (Integer sum, Integer x) -> sum + x), system)
                .toCompletableFuture()
                .join();
    }

    static int rxJava(int kind, List<Integer> input) {
        Flowable<Integer> source = Flowable.fromIterable(input);
        Flowable<Integer> other = switch (kind) {
            case 0 -> source.map(x -> x + 1).map(x -> x * 2);
            case 1 -> source.filter(x -> x % 2 == 0).map(x -> -x);
            case 2 -> source.map(x -> x ^ 5).filter(x -> x > 3);
            case 3 -> source.take(5_000).map(x -> x - 7);
            case 4 -> source.skip(100).filter(x -> x % 3 != 0);
            case 5 -> source.scan(0, (sum, x) -> sum ^ x);
            case 6 -> source.concatMapIterable(x -> List.of(x, x));
            case 7 -> source.takeWhile(x -> x < 9_000).map(x -> x >> 1);
            case 8 -> source.map(String::valueOf).map(String::length);
            default -> source.buffer(10).map(List::size);
        };
        return other.reduce(0, (sum, x) -> sum + x).blockingGet();
    }

    static int reactor(int kind, List<Integer> input) {
        Flux<Integer> source = Flux.fromIterable(input);
        Flux<Integer> other = switch (kind) {
            case 0 -> source.map(x -> x + 1).map(x -> x * 2);
            case 1 -> source.filter(x -> x % 2 == 0).map(x -> -x);
            case 2 -> source.map(x -> x ^ 5).filter(x -> x > 3);
            case 3 -> source.take(5_000).map(x -> x - 7);
            case 4 -> source.skip(100).filter(x -> x % 3 != 0);
            case 5 -> source.scan(0, (sum, x) -> sum ^ x);
            case 6 -> source.concatMapIterable(x -> List.of(x, x));
            case 7 -> source.takeWhile(x -> x < 9_000).map(x -> x >> 1);
            case 8 -> source.map(String::valueOf).map(String::length);
            default -> source.buffer(10).map(List::size);
        };
        Integer sum = other.reduce(0, (total, x) -> total + x).block();
        return sum == null ? 0 : sum;
    }
}
