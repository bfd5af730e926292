package io.millrace.streams.operator;

import io.millrace.streams.Source;
import io.millrace.streams.graph.Outcome;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Signal;
import io.millrace.streams.graph.ThrottleMode;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingConsumer;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingPredicate;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.graph.ThrowingToLongFunction;
import io.millrace.streams.graph.Timestamped;
import io.millrace.streams.stage.StageActorRef;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * An operator and what it is called with, on whatever has it.
 *
 * @param isOfFailures whether it is tried on streams that fail
 * @param compared what is compared of its elements, where some of them depend on time
 */
record OperatorCall(
        String operator, List<Object> arguments, boolean isOfFailures, UnaryOperator<List<Object>> compared) {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration MOMENT = Duration.ofNanos(1);
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final ThrowingPredicate<Integer> IN_FIRST_HALF = n -> n % 4 < 2;
    private static final ThrowingToLongFunction<Integer> ONE = n -> 1;
    private static final ThrowingBiFunction<Integer, Integer, Integer> SUM = Integer::sum;
    private static final OverflowStrategy WAIT = OverflowStrategy.BACKPRESSURE;

    private static OperatorCall of(String operator, Object... arguments) {
        return new OperatorCall(operator, List.of(arguments), false, elements -> elements);
    }

    private OperatorCall ofFailures() {
        return new OperatorCall(operator, arguments, true, compared);
    }

    /** The same call, of which this is compared. */
    private OperatorCall comparing(UnaryOperator<List<Object>> part) {
        return new OperatorCall(operator, arguments, isOfFailures, part);
    }

    /** The same call: however many elements have become one, together they are the sum. */
    private OperatorCall added() {
        return comparing(elements ->
                List.of(elements.stream().mapToInt(Integer.class::cast).sum()));
    }

    /** The same call: when all before was taken depends on time, but the last elements come. */
    private OperatorCall last() {
        return comparing(
                elements -> elements.stream().filter(n -> (int) n % 4 == 3).toList());
    }

    static List<OperatorCall> table(StageActorRef<Desk.Question> desk) {
        List<OperatorCall> table = new ArrayList<>();
        table.addAll(changes());
        table.addAll(choices());
        table.addAll(groups());
        table.addAll(futures(desk));
        table.addAll(rates());
        table.addAll(delays());
        table.addAll(timeouts());
        table.addAll(failures());
        return table;
    }

    private static List<OperatorCall> changes() {
        ThrowingBiFunction<Integer, Integer, Pair<Integer, Integer>> running = (s, n) -> new Pair<>(s + n, s);
        ThrowingBiFunction<Integer, Integer, Integer> next = (resource, n) -> resource + n;
        ThrowingConsumer<Integer> notTheLast = n -> {
            if (n % 4 == 3) {
                throw new IllegalArgumentException("mine");
            }
        };
        ThrowingConsumer<Outcome> any = outcome -> {};
        return List.of(
                of("doOnNext", notTheLast),
                of("doOnComplete", (Runnable) () -> {}),
                of("doFinally", any),
                of("map", function(n -> n * 10)),
                of("mapConcat", function(n -> List.of(n, -n))),
                of("zipWithIndex"),
                of("statefulMap", (Supplier<Integer>) () -> 0, running, function(Optional::of)),
                of("scan", 0, SUM),
                of("fold", 0, SUM),
                of("reduce", SUM),
                of("mapWithResource", supplier(100), next, function(Optional::of)),
                of("collectType", Integer.class),
                of("intersperse", -1),
                of("intersperse", -1, -2, -3),
                of("materialize"),
                of("dematerialize", function(Signal.Next::new)),
                of("timestamp")
                        .comparing(elements -> elements.stream()
                                .<Object>map(one -> ((Timestamped<?>) one).element())
                                .toList()));
    }

    private static List<OperatorCall> choices() {
        ThrowingBiFunction<Integer, Integer, Boolean> sameHalf = (a, b) -> a / 2 == b / 2;
        return List.of(
                of("skipLast", 1),
                of("defaultIfEmpty", 7),
                of("filter", IN_FIRST_HALF),
                of("filterNot", IN_FIRST_HALF),
                of("take", 2L),
                of("takeWhile", IN_FIRST_HALF),
                of("takeThrough", IN_FIRST_HALF),
                of("takeUntil", IN_FIRST_HALF),
                of("takeUntil", Source.never()),
                of("skipUntil", Source.never()),
                of("drop", 1L),
                of("dropWhile", IN_FIRST_HALF),
                of("limit", 9L),
                of("limit", 2L),
                of("limitWeighted", 9L, ONE),
                of("distinct"),
                of("distinct", function(n -> n % 2)),
                of("dropRepeated"),
                of("dropRepeated", sameHalf));
    }

    private static List<OperatorCall> groups() {
        ThrowingBiFunction<Integer, Integer, Pair<Integer, Boolean>> upToTwo = (a, n) -> new Pair<>(a + n, n % 2 == 1);
        return List.of(
                of("grouped", 3),
                of("sliding", 2, 1),
                of("groupedWeighted", 2L, ONE),
                of("aggregateWithBoundary", supplier(0), upToTwo, function(sum -> -sum)),
                of("groupedWithin", 3, DAY),
                of("groupedWeightedWithin", 2L, DAY, ONE));
    }

    private static List<OperatorCall> futures(StageActorRef<Desk.Question> desk) {
        ThrowingFunction<Integer, CompletionStage<Integer>> later = n -> CompletableFuture.supplyAsync(() -> -n);
        ThrowingBiFunction<Integer, Integer, CompletionStage<Integer>> laterSum =
                (a, b) -> CompletableFuture.supplyAsync(() -> a + b);
        ThrowingBiFunction<Integer, Integer, CompletionStage<Pair<Integer, Integer>>> laterState =
                (s, n) -> CompletableFuture.supplyAsync(() -> new Pair<>(s + n, s));
        ThrowingBiFunction<Integer, StageActorRef.ReplyTo<Integer>, Desk.Question> question = Desk.Question::new;
        return List.of(
                of("mapAsync", 2, later),
                of("mapAsyncUnordered", 1, later),
                of("mapAsyncPartitioned", 2, function(n -> n % 2), later),
                of("statefulMapAsync", (Supplier<Integer>) () -> 0, laterState, function(Optional::of)),
                of("scanAsync", 0, laterSum),
                of("foldAsync", 0, laterSum),
                of("ask", 2, desk, question, DAY));
    }

    private static List<OperatorCall> rates() {
        return List.of(
                of("buffer", 16, WAIT),
                of("batch", 1L, function(n -> n), SUM),
                of("batchWeighted", 1L, ONE, function(n -> n), SUM),
                of("conflate", SUM).added(),
                of("conflateWithSeed", function(n -> n), SUM).added(),
                of("expand", function(n -> List.of(n).iterator())),
                of("extrapolate", function(n -> List.of().iterator())),
                of("extrapolate", function(n -> List.of().iterator()), -1),
                of("throttle", 1000L, MILLISECOND),
                of("throttle", 1000L, MILLISECOND, 10L, ThrottleMode.SHAPING),
                of("throttle", 1000L, MILLISECOND, 10L, ONE, ThrottleMode.SHAPING),
                of("sample", DAY),
                of("debounce", DAY),
                of("throttleLatest", DAY).last(),
                of("throttleFirst", DAY));
    }

    private static List<OperatorCall> delays() {
        return List.of(
                of("delay", MOMENT),
                of("delay", MOMENT, 4, WAIT),
                of("delayWith", function(n -> MOMENT), 4, WAIT),
                of("initialDelay", MOMENT),
                of("takeWithin", DAY),
                of("dropWithin", DAY));
    }

    private static List<OperatorCall> timeouts() {
        return List.of(
                of("timeout", DAY),
                of("timeout", DAY, Source.single(7)),
                of("initialTimeout", DAY),
                of("idleTimeout", DAY),
                of("completionTimeout", DAY),
                of("backpressureTimeout", DAY),
                of("keepAlive", DAY, supplier(7)));
    }

    private static List<OperatorCall> failures() {
        ThrowingPredicate<Throwable> any = failure -> true;
        ThrowingConsumer<Throwable> none = failure -> {};
        ThrowingFunction<Throwable, Object> more = failure -> Source.of(7, 8);
        ThrowingFunction<Throwable, Object> last = failure -> 7;
        ThrowingFunction<Throwable, Object> other = failure -> new IllegalStateException("mine", failure);
        return List.of(
                of("recover", last).ofFailures(),
                of("recover", ArithmeticException.class, last).ofFailures(),
                of("doOnError", none).ofFailures(),
                of("onErrorComplete", ArithmeticException.class).ofFailures(),
                of("recoverWith", more).ofFailures(),
                of("recoverWithRetries", 2, more).ofFailures(),
                of("mapError", other).ofFailures(),
                of("onErrorComplete").ofFailures(),
                of("onErrorComplete", any).ofFailures());
    }

    private static ThrowingFunction<Integer, Object> function(ThrowingFunction<Integer, Object> function) {
        return function;
    }

    private static ThrowingSupplier<Integer> supplier(int value) {
        return () -> value;
    }

    /** What the operator makes of a stream, or of streams. */
    Object on(Object streams) throws ReflectiveOperationException {
        return method(streams.getClass()).invoke(streams, arguments.toArray());
    }

    Method method(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals(operator))
                .filter(method -> accepts(method.getParameterTypes()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no method of " + type + " for " + this));
    }

    private boolean accepts(Class<?>[] parameters) {
        if (parameters.length != arguments.size()) {
            return false;
        }
        List<Class<?>> boxed =
                MethodType.methodType(void.class, parameters).wrap().parameterList();
        for (int i = 0; i < arguments.size(); i++) {
            if (!boxed.get(i).isInstance(arguments.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** What is compared of what has come: elements, or one failure, by what it says. */
    List<Object> seen(List<Object> outcome) {
        boolean hasFailed = !outcome.isEmpty() && outcome.get(0) instanceof Throwable;
        return hasFailed ? List.of(outcome.get(0).toString()) : compared.apply(outcome);
    }

    @Override
    public String toString() {
        return operator
                + arguments.stream()
                        .map(one -> one.getClass().isSynthetic() ? "function" : one.toString())
                        .toList();
    }
}
