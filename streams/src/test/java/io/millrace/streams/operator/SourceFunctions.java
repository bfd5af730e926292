package io.millrace.streams.operator;

import io.millrace.streams.Flow;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RestartSettings;
import java.io.InputStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;

/** Every function that a user gives to a source. */
final class SourceFunctions {
    private SourceFunctions() {}

    static void addTo(UserFunction.Table table) {
        iterators(table);
        unfolding(table);
        futures(table);
        nested(table);
    }

    private static void iterators(UserFunction.Table table) {
        table.object("iterable", "iterator()", t -> Source.<Integer>from(() -> t.now()))
                .object("iterable", "next()", t -> Source.from(() -> elements(t)))
                .other("iterable", "hasNext()", t -> Source.from(() -> noElements(t)))
                .object("iterator", "iterators", t -> Source.<Integer>fromIterator(() -> t.now()))
                .object("iterator", "next()", t -> Source.fromIterator(() -> elements(t)))
                .other("iterator", "hasNext()", t -> Source.fromIterator(() -> noElements(t)))
                .object("cycle", "iterators", t -> Source.<Integer>cycle(() -> t.now()))
                .object("cycle", "next()", t -> Source.cycle(() -> elements(t)))
                .other("cycle", "hasNext()", t -> Source.cycle(() -> noElements(t)))
                .object("stream", "streams", t -> Source.<Integer>fromStream(() -> t.now()))
                .object("stream", "element", t -> Source.fromStream(() -> Stream.generate(() -> t.<Integer>now())))
                .object("map", "a function of nothing", t -> Source.of(1, 2).map(n -> t.now()));
    }

    /** Gives one element, then what the trouble is. */
    static Iterator<Integer> elements(Trouble trouble) {
        return new Iterator<>() {
            private boolean isFirst = true;

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            @SuppressWarnings("IteratorNextThrows")
            public Integer next() {
                if (isFirst) {
                    isFirst = false;
                    return 1;
                }
                return trouble.now();
            }
        };
    }

    static Iterator<Integer> noElements(Trouble trouble) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return trouble.test();
            }

            @Override
            public Integer next() {
                return 1;
            }
        };
    }

    private static void unfolding(UserFunction.Table table) {
        table.object("unfold", "function", t -> Source.<Integer, Integer>unfold(1, n -> t.now()))
                .object(
                        "unfold",
                        "element",
                        t -> Source.<Integer, Integer>unfold(1, n -> Optional.of(new Pair<>(1, t.now()))))
                .object("unfoldAsync", "function", t -> Source.<Integer, Integer>unfoldAsync(1, n -> t.now()))
                .object("unfoldAsync", "future", t -> Source.<Integer, Integer>unfoldAsync(1, n -> t.future()))
                .object(
                        "unfoldResource",
                        "open",
                        t -> Source.unfoldResource(t::<Integer>now, n -> Optional.of(n), n -> {}))
                .object(
                        "unfoldResource",
                        "read",
                        t -> Source.<Integer, Integer>unfoldResource(() -> 1, n -> t.now(), n -> {}))
                .other(
                        "unfoldResource",
                        "close",
                        t -> Source.<Integer, Integer>unfoldResource(() -> 1, n -> Optional.empty(), n -> t.now()))
                .object("inputStream", "streams", t -> Source.fromInputStream(() -> t.now()))
                .other(
                        "inputStream",
                        "read",
                        t -> Source.fromInputStream(() -> new InputStream() {
                            @Override
                            public int read() {
                                return t.test() ? 1 : 0;
                            }

                            @Override
                            public int read(byte[] bytes, int from, int count) {
                                return t.test() ? 1 : 0;
                            }
                        }));
    }

    private static void futures(UserFunction.Table table) {
        table.object("future", "future", t -> Source.<Integer>fromCompletionStage(t.future()))
                .object(
                        "maybe",
                        "future",
                        t -> Source.<Integer>maybe().mapMaterializedValue(element -> {
                            t.<Optional<Integer>>future().handle((value, failure) -> {
                                if (failure == null) {
                                    element.complete(value);
                                } else {
                                    element.completeExceptionally(failure);
                                }
                                return element;
                            });
                            return element;
                        }))
                .other("publisher", "subscribe", t -> Source.fromPublisher((Publisher<Integer>) subscriber -> t.now()))
                .object(
                        "usingWhen",
                        "resource",
                        t -> Source.<Integer, Integer>usingWhen(
                                () -> t.now(), r -> Source.of(r), (r, outcome) -> CompletableFuture.completedFuture(r)))
                .object(
                        "usingWhen",
                        "future of the resource",
                        t -> Source.<Integer, Integer>usingWhen(
                                () -> t.future(),
                                r -> Source.of(r),
                                (r, outcome) -> CompletableFuture.completedFuture(r)))
                .object(
                        "usingWhen",
                        "body",
                        t -> Source.<Integer, Integer>usingWhen(
                                () -> CompletableFuture.completedFuture(1),
                                r -> t.now(),
                                (r, outcome) -> CompletableFuture.completedFuture(r)))
                .object(
                        "usingWhen",
                        "cleanup",
                        t -> Source.<Integer, Integer>usingWhen(
                                () -> CompletableFuture.completedFuture(1), r -> Source.of(r), (r, outcome) -> t.now()))
                .other(
                        "usingWhen",
                        "future of the cleanup",
                        t -> Source.<Integer, Integer>usingWhen(
                                () -> CompletableFuture.completedFuture(1),
                                r -> Source.of(r),
                                (r, outcome) -> t.future()));
    }

    private static void nested(UserFunction.Table table) {
        RestartSettings once = RestartSettings.of(Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1)))
                .withMaxRestarts(0, Duration.ofDays(1));
        table.object("lazy", "factory", t -> Source.<Integer, Object>lazy(() -> t.now()))
                .object("lazyCompletionStage", "factory", t -> Source.<Integer>lazyCompletionStage(() -> t.now()))
                .object(
                        "lazy",
                        "factory of a flow",
                        t -> Source.of(1).via(Flow.<Integer, Integer, Object>lazy(() -> t.now())))
                .object("fromRuntime", "factory", t -> Source.<Integer, Object>fromRuntime((r, attributes) -> t.now()))
                .object("restarting", "factory", t -> Source.<Integer>restarting(once, () -> t.now()))
                .object(
                        "map",
                        "within lazy",
                        t -> Source.lazy(() -> Source.of(1, 2).map(n -> t.now())));
    }

    /** A publisher that gives one element, which is null, or fails. */
    static Publisher<Integer> publisher(Trouble trouble) {
        return subscriber -> subscriber.onSubscribe(new Subscription() {
            @Override
            public void request(long count) {
                if (trouble.failure() != null) {
                    subscriber.onError(trouble.failure());
                } else {
                    subscriber.onNext(trouble.now());
                }
            }

            @Override
            public void cancel() {}
        });
    }

    static List<Integer> numbers() {
        return List.of(1, 2, 3);
    }
}
