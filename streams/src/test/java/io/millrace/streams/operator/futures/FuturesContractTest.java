package io.millrace.streams.operator.futures;

import io.millrace.streams.Flow;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.operator.Desk;
import io.millrace.streams.operator.FlowCase;
import io.millrace.streams.operator.FlowContract;
import io.millrace.streams.operator.Promptness;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.testkit.Operator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;

/** Operators that wait for futures, some completed at once and some by other threads. */
@Operator({"ask", "foldAsync", "mapAsync", "mapAsyncPartitioned", "mapAsyncUnordered", "scanAsync", "statefulMapAsync"})
final class FuturesContractTest extends FlowContract {
    private static final List<Integer> NUMBERS = List.of(1, 2, 3, 4, 5);
    private static final List<Integer> TENS = List.of(10, 20, 30, 40, 50);

    private final Flow<Integer, Integer, ?> numbers = Flow.<Integer>create();
    private final StreamRuntime desks = StreamRuntime.create();

    @AfterEach
    void closeDesks() {
        desks.close();
    }

    @Override
    protected Set<Promptness> promptness(FlowCase<?, ?> one) {
        return Promptness.WITH_A_BOUNDARY_BEFORE;
    }

    @Override
    protected List<FlowCase<?, ?>> cases() {
        StageActorRef<Desk.Question> desk =
                Desk.running(desks, question -> question.reply().tell(question.number() * 10));
        return List.of(
                FlowCase.of("mapAsync", () -> numbers.mapAsync(2, n -> later(n * 10)), NUMBERS, TENS),
                FlowCase.of("mapAsyncUnordered", () -> numbers.mapAsyncUnordered(1, n -> later(n * 10)), NUMBERS, TENS),
                FlowCase.of(
                        "mapAsyncPartitioned",
                        () -> numbers.mapAsyncPartitioned(3, n -> n % 2, n -> later(n * 10)),
                        NUMBERS,
                        TENS),
                FlowCase.of(
                                "statefulMapAsync",
                                () -> numbers.statefulMapAsync(
                                        () -> 0,
                                        (sum, n) -> later(sum + n).thenApply(next -> new Pair<>(next, next)),
                                        sum -> Optional.of(-sum)),
                                NUMBERS,
                                List.of(1, 3, 6, 10, 15, -15))
                        .ofNothing(List.of(0)),
                FlowCase.of(
                                "scanAsync",
                                () -> numbers.scanAsync(0, (sum, n) -> later(sum + n)),
                                NUMBERS,
                                List.of(0, 1, 3, 6, 10, 15))
                        .ofNothing(List.of(0)),
                FlowCase.of("foldAsync", () -> numbers.foldAsync(0, (sum, n) -> later(sum + n)), NUMBERS, List.of(15))
                        .ofNothing(List.of(0))
                        .beforeFailure(List.of()),
                FlowCase.of(
                        "ask",
                        () -> numbers.<Desk.Question, Integer>ask(2, desk, Desk.Question::new, Duration.ofDays(1)),
                        NUMBERS,
                        TENS));
    }

    /** A future that is there already for odd numbers. */
    private static CompletionStage<Integer> later(int n) {
        return n % 2 == 1 ? CompletableFuture.completedFuture(n) : CompletableFuture.supplyAsync(() -> n);
    }
}
