package io.millrace.streams.operator.futures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.operator.Desk;
import io.millrace.streams.operator.VirtualTimeTest;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.Operator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Operators that wait for futures, which the test completes in the order it likes. */
class FuturesTest extends VirtualTimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private final RuntimeException mine = new IllegalStateException("mine");

    private final Map<Integer, CompletableFuture<Integer>> calls = new HashMap<>();
    private final List<Integer> called = new ArrayList<>();

    private CompletionStage<Integer> call(int n) {
        called.add(n);
        return calls.computeIfAbsent(n, any -> new CompletableFuture<>());
    }

    private void complete(int... numbers) {
        for (int n : numbers) {
            calls.get(n).complete(n * 10);
        }
    }

    private static Attributes resuming() {
        return Attributes.supervision(Supervision.resume());
    }

    @Test
    @Operator("mapAsync")
    void resultsKeepTheOrderOfTheElements() {
        Ends<Integer, Integer> ends = runAsked(numbers().mapAsync(3, this::call));
        ends.send(1, 2, 3, 4);
        assertThat(called).containsExactly(1, 2, 3);
        complete(2, 3);
        ends.expectNothing();
        complete(1);
        ends.sink().expectNext(10, 20, 30);
        ends.source().complete();
        complete(4);
        ends.sink().expectNext(40).expectComplete();
    }

    @Test
    @Operator("mapAsync")
    void futuresThatAreThereAlreadyAndOthersMayAlternate() {
        Ends<Integer, Integer> ends =
                runAsked(numbers().mapAsync(4, n -> n % 2 == 0 ? CompletableFuture.completedFuture(n) : call(n)));
        ends.send(0, 1, 2, 3, 4);
        ends.sink().expectNext(0);
        ends.expectNothing();
        complete(3, 1);
        ends.sink().expectNext(10, 2, 30, 4);
    }

    @Test
    @Operator("mapAsync")
    void aFailedFutureFailsTheStreamInItsTurnOrIsDropped() {
        Ends<Integer, Integer> failing = runAsked(numbers().mapAsync(3, this::call));
        failing.send(1, 2);
        calls.get(2).completeExceptionally(mine);
        failing.expectNothing();
        complete(1);
        failing.sink().expectNext(10);
        assertThat(failing.sink().expectError()).isSameAs(mine);
        failing.source().awaitCancellation();
        calls.clear();
        Ends<Integer, Integer> resuming =
                runAsked(numbers().mapAsync(3, this::call).withAttributes(resuming()));
        resuming.send(1, 2, 3);
        calls.get(1).completeExceptionally(mine);
        calls.get(2).complete(null);
        complete(3);
        resuming.sink().expectNext(30);
        Ends<Integer, Integer> none = runAsked(numbers().mapAsync(3, n -> null));
        none.send(1);
        assertThat(none.sink().expectError()).hasMessageContaining("mapAsync");
    }

    @Test
    @Operator({"mapAsync", "mapAsyncPartitioned", "ask"})
    void aFailureThatIsFirstInTurnIsNotHeldBackByDownstream() {
        for (Flow<Integer, Integer, ?> flow : List.of(
                numbers().mapAsync(3, this::call),
                numbers().mapAsyncPartitioned(3, n -> n, this::call),
                asking(Desk.running(
                        runtime,
                        q -> call(q.number())
                                .whenComplete((value, failure) -> q.reply().tell(failure == null ? value : null)))))) {
            calls.clear();
            Ends<Integer, Integer> ends = run(flow);
            ends.sink().request(1);
            ends.send(1, 2);
            complete(1);
            ends.sink().expectNext(10);
            calls.get(2).completeExceptionally(mine);
            ends.sink().expectError();
            ends.source().awaitCancellation();
        }
        calls.clear();
        Ends<Integer, Integer> waiting = run(numbers().mapAsync(3, this::call));
        waiting.sink().request(1);
        waiting.send(1, 2, 3);
        complete(1, 2);
        calls.get(3).completeExceptionally(mine);
        waiting.sink().expectNext(10);
        waiting.expectNothing();
        waiting.sink().request(1).expectNext(20);
        assertThat(waiting.sink().expectError()).isSameAs(mine);
    }

    @Test
    @Operator("mapAsyncUnordered")
    void resultsComeInTheOrderOfTheirCompletion() {
        Ends<Integer, Integer> ends = runAsked(numbers().mapAsyncUnordered(3, this::call));
        ends.send(1, 2, 3, 4);
        assertThat(called).containsExactly(1, 2, 3);
        complete(3, 1);
        ends.sink().expectNext(30, 10);
        ends.source().complete();
        complete(4, 2);
        ends.sink().expectNext(40, 20).expectComplete();
    }

    @Test
    @Operator("mapAsyncPartitioned")
    void ofEachKeyOneCallRunsAtATime() {
        Ends<Integer, Integer> ends = runAsked(numbers().mapAsyncPartitioned(4, n -> n % 2, this::call));
        ends.send(1, 3, 2, 4, 5);
        assertThat(called).containsExactly(1, 2);
        complete(2);
        assertThat(called).containsExactly(1, 2, 4);
        complete(4);
        ends.expectNothing();
        complete(1);
        ends.sink().expectNext(10);
        assertThat(called).containsExactly(1, 2, 4, 3);
        ends.expectNothing();
        complete(3);
        ends.sink().expectNext(30, 20, 40);
        assertThat(called).containsExactly(1, 2, 4, 3, 5);
        ends.source().complete();
        complete(5);
        ends.sink().expectNext(50).expectComplete();
    }

    @Test
    @Operator("mapAsyncPartitioned")
    void manyCallsOfOneKeyThatEndAtOnceDoNotNest() {
        int many = 20_000;
        Ends<Integer, Integer> ends = runAsked(numbers()
                .mapAsyncPartitioned(many, n -> 0, n -> n == 0 ? call(n) : CompletableFuture.completedFuture(n)));
        for (int n = 0; n < many; n++) {
            ends.source().send(n);
        }
        ends.expectNothing();
        complete(0);
        assertThat(ends.sink().expectNextN(many)).hasSize(many).startsWith(0, 1, 2);
    }

    @Test
    @Operator("mapAsyncPartitioned")
    void aFailureMakesWayForTheNextOfItsKey() {
        Ends<Integer, Integer> ends = runAsked(numbers()
                .mapAsyncPartitioned(4, n -> n == 9 ? null : "key", n -> n == 2 ? throwing() : call(n))
                .withAttributes(resuming()));
        ends.send(1, 2, 9, 3);
        calls.get(1).completeExceptionally(mine);
        complete(3);
        ends.sink().expectNext(30);
        Ends<Integer, Integer> failing = runAsked(numbers().mapAsyncPartitioned(4, n -> null, this::call));
        failing.send(1);
        assertThat(failing.sink().expectError()).hasMessageContaining("the function returned null");
    }

    @Test
    @Operator("mapAsyncPartitioned")
    @Behaviour("INT-10")
    void aResultIsOnItsWayBeforeTheNextOfItsKeyIsCalled() {
        List<String> seen = new ArrayList<>();
        Ends<Integer, Integer> ends = runAsked(numbers()
                .mapAsyncPartitioned(4, n -> "key", n -> {
                    seen.add("call " + n);
                    return n == 3 ? throwing() : n == 2 ? CompletableFuture.completedFuture(20) : call(n);
                })
                .doOnNext(ten -> seen.add("result " + ten)));
        ends.send(1, 2, 3);
        complete(1);
        ends.sink().expectNext(10, 20);
        assertThat(ends.sink().expectError()).isSameAs(mine);
        assertThat(seen).containsExactly("call 1", "result 10", "call 2", "result 20", "call 3");
    }

    private CompletionStage<Integer> throwing() {
        throw mine;
    }

    @Test
    @Operator("statefulMapAsync")
    void theNextCallSeesTheStateOfTheLast() {
        Ends<Integer, String> ends = runAsked(summing());
        ends.send(1, 2, 3);
        assertThat(called).containsExactly(1);
        complete(1);
        assertThat(called).containsExactly(1, 2);
        complete(2);
        ends.sink().expectNext("10", "30");
        ends.source().complete();
        ends.expectNothing();
        complete(3);
        ends.sink().expectNext("60", "sum 60").expectComplete();
    }

    @Test
    @Operator("statefulMapAsync")
    void supervisionKeepsTheStateOrMakesItAnew() {
        assertThat(sumAfterFailure(Supervision.resume())).isEqualTo("40");
        assertThat(sumAfterFailure(Supervision.restart())).isEqualTo("30");
        Ends<Integer, String> failing = runAsked(summing());
        failing.send(1);
        calls.get(1).completeExceptionally(mine);
        assertThat(failing.sink().expectError()).isSameAs(mine);
    }

    @Test
    @Operator("statefulMapAsync")
    void aPairWithoutAnElementIsAFailureThatSupervisionDecidesOn() {
        Flow<Integer, Integer, ?> sums = numbers()
                .statefulMapAsync(
                        () -> 0,
                        (sum, n) -> CompletableFuture.completedFuture(new Pair<>(sum + n, n == 2 ? null : sum + n)),
                        sum -> Optional.empty());
        Ends<Integer, Integer> resuming = runAsked(sums.withAttributes(resuming()));
        resuming.send(1, 2, 3);
        resuming.sink().expectNext(1, 4);
        Ends<Integer, Integer> restarting =
                runAsked(sums.withAttributes(Attributes.supervision(Supervision.restart())));
        restarting.send(1, 2, 3);
        restarting.sink().expectNext(1, 3);
        Ends<Integer, Integer> failing = runAsked(sums);
        failing.send(2);
        assertThat(failing.sink().expectError()).hasMessageContaining("statefulMapAsync: the pair holds null");
    }

    @Test
    @Operator("statefulMapAsync")
    @Behaviour("INT-10")
    void theLastResultIsOnItsWayBeforeTheEndIsMade() {
        List<String> seen = new ArrayList<>();
        Ends<Integer, Integer> ends = runAsked(numbers()
                .statefulMapAsync(() -> 0, (sum, n) -> call(n).thenApply(ten -> new Pair<>(ten, ten)), sum -> {
                    seen.add("end");
                    throw mine;
                })
                .doOnNext(ten -> seen.add("result " + ten)));
        ends.send(1);
        ends.source().complete();
        complete(1);
        ends.sink().expectNext(10);
        assertThat(ends.sink().expectError()).isSameAs(mine);
        assertThat(seen).containsExactly("result 10", "end");
    }

    private String sumAfterFailure(Supervision supervision) {
        calls.clear();
        Ends<Integer, String> ends = runAsked(summing().withAttributes(Attributes.supervision(supervision)));
        ends.send(1, 2, 3);
        complete(1);
        calls.get(2).completeExceptionally(mine);
        complete(3);
        String sum = ends.sink().expectNext("10").expectNext();
        calls.clear();
        return sum;
    }

    private Flow<Integer, String, ?> summing() {
        return numbers()
                .statefulMapAsync(
                        () -> 0,
                        (sum, n) -> call(n).thenApply(ten -> new Pair<>(sum + ten, "" + (sum + ten))),
                        sum -> Optional.of("sum " + sum));
    }

    @Test
    @Operator("scanAsync")
    void theZeroComesAtOnceAndEachResultBeforeTheNextCall() {
        Ends<Integer, Integer> ends = run(numbers().scanAsync(5, (last, n) -> call(n).thenApply(ten -> last + ten)));
        ends.sink().request(1).expectNext(5);
        ends.send(1, 2);
        assertThat(called).isEmpty();
        ends.sink().request(2);
        complete(1);
        ends.sink().expectNext(15);
        complete(2);
        ends.sink().expectNext(35);
        ends.source().complete();
        ends.sink().expectComplete();
        Ends<Integer, Integer> nulls = runAsked(numbers().scanAsync(5, (last, n) -> call(n)));
        nulls.send(7);
        calls.get(7).complete(null);
        nulls.sink().expectNext(5);
        assertThat(nulls.sink().expectError()).hasMessageStartingWith("scanAsync: the future completed with null");
    }

    @Test
    @Operator("foldAsync")
    void theResultComesWhenTheLastCallHasCompleted() {
        Ends<Integer, Integer> ends =
                runAsked(numbers().foldAsync(5, (last, n) -> call(n).thenApply(ten -> last + ten)));
        ends.send(1, 2);
        ends.source().complete();
        complete(1);
        ends.expectNothing();
        assertThat(called).containsExactly(1, 2);
        complete(2);
        ends.sink().expectNext(35).expectComplete();
    }

    @Test
    @Operator("ask")
    void repliesComeInTheOrderOfTheQuestions() {
        Map<Integer, StageActorRef.ReplyTo<Integer>> open = new HashMap<>();
        Ends<Integer, Integer> ends = runAsked(asking(Desk.running(runtime, q -> open.put(q.number(), q.reply()))));
        ends.send(1, 2, 3);
        assertThat(open).containsOnlyKeys(1, 2);
        open.get(2).tell(22);
        ends.expectNothing();
        open.get(1).tell(11);
        open.get(1).tell(0);
        ends.sink().expectNext(11, 22);
        open.get(3).tell(33);
        ends.source().complete();
        ends.sink().expectNext(33).expectComplete();
    }

    @Test
    @Operator("ask")
    void aReplyThatDoesNotComeInTimeFailsTheStreamExactlyThen() {
        Map<Integer, StageActorRef.ReplyTo<Integer>> open = new HashMap<>();
        Ends<Integer, Integer> ends = runAsked(asking(Desk.running(runtime, q -> open.put(q.number(), q.reply()))));
        ends.send(1);
        advanceMillis(600);
        ends.send(2);
        open.get(1).tell(11);
        ends.sink().expectNext(11);
        assertThat(time.waiting()).isOne();
        advanceMillis(999);
        ends.expectNothing();
        advanceMillis(1);
        assertThat(ends.sink().expectError())
                .isInstanceOf(TimeoutException.class)
                .hasMessage("no reply within PT1S");
        ends.source().awaitCancellation();
    }

    @Test
    @Operator("ask")
    void aStageThatStopsWithoutAReplyFailsTheStream() {
        StageActorRef<Desk.Question> desk = Desk.running(runtime, question -> {});
        Ends<Integer, Integer> ends = runAsked(asking(desk));
        ends.send(1, -1);
        assertThat(ends.sink().expectError()).isInstanceOf(StageStoppedException.class);
        Ends<Integer, Integer> later = runAsked(asking(desk));
        later.send(1);
        assertThat(later.sink().expectError()).isInstanceOf(StageStoppedException.class);
    }

    private Flow<Integer, Integer, ?> asking(StageActorRef<Desk.Question> desk) {
        return numbers().<Desk.Question, Integer>ask(2, desk, Desk.Question::new, SECOND);
    }

    @Test
    void aParallelismOfZeroIsRefused() {
        String message = "parallelism must be at least 1, not 0";
        assertThatThrownBy(() -> numbers().mapAsync(0, this::call)).hasMessage(message);
        assertThatThrownBy(() -> numbers().mapAsyncUnordered(0, this::call)).hasMessage(message);
        assertThatThrownBy(() -> numbers().mapAsyncPartitioned(0, n -> n, this::call))
                .hasMessage(message);
    }

    @Test
    @Operator("statefulMapAsync")
    void theEndFunctionIsNotCalledAfterAFailure() {
        List<String> ended = new ArrayList<>();
        Ends<Integer, Integer> ends = runAsked(numbers()
                .statefulMapAsync(
                        () -> "", (state, n) -> call(n).thenApply(answer -> new Pair<>(state, answer)), state -> {
                            ended.add(state);
                            return Optional.empty();
                        }));
        ends.send(1);
        calls.get(1).completeExceptionally(mine);
        assertThat(ends.sink().expectError()).isNotNull();
        assertThat(ended).isEmpty();
    }

    @Test
    @Operator("mapAsync")
    void itCompletesWithoutDemandWhereWhatIsLeftWasDropped() {
        for (boolean completesLast : new boolean[] {false, true}) {
            calls.clear();
            Ends<Integer, Integer> ends = run(numbers().mapAsync(2, this::call).withAttributes(resuming()));
            ends.sink().request(1);
            ends.send(1, 2);
            if (!completesLast) {
                ends.source().complete();
            }
            calls.get(2).completeExceptionally(mine);
            complete(1);
            ends.sink().expectNext(10);
            if (completesLast) {
                ends.source().complete();
            }
            ends.sink().expectComplete();
        }
    }

    @Test
    @Operator({"mapAsync", "mapAsyncUnordered", "foreachAsync"})
    void whatSupervisionThrowsOfAFutureThatIsThereFailsTheStream() {
        Attributes throwing = Attributes.supervision(failure -> {
            throw new IllegalArgumentException("of supervision");
        });
        List<Flow<Integer, Integer, ?>> flows = List.of(
                numbers().mapAsync(2, n -> CompletableFuture.<Integer>failedFuture(mine)),
                numbers().mapAsyncUnordered(2, n -> CompletableFuture.<Integer>failedFuture(mine)));
        for (Flow<Integer, Integer, ?> flow : flows) {
            Ends<Integer, Integer> ends = runAsked(flow.withAttributes(throwing));
            ends.send(1);
            assertThat(ends.sink().expectError()).hasMessage("of supervision");
            ends.source().awaitCancellation();
        }
    }

    @Test
    @Operator({"mapAsync", "mapAsyncUnordered", "scanAsync"})
    void aStageThatDoesNotSayWhetherItIsDoneIsAwaitedAsAnyOther() {
        List<Flow<Integer, Integer, ?>> flows = List.of(
                numbers().mapAsync(2, CompletableFuture::completedStage),
                numbers().mapAsyncUnordered(2, CompletableFuture::completedStage),
                numbers()
                        .scanAsync(1, (last, n) -> CompletableFuture.completedStage(n))
                        .drop(1));
        for (Flow<Integer, Integer, ?> flow : flows) {
            Ends<Integer, Integer> ends = runAsked(flow);
            ends.send(1, 2);
            ends.sink().expectNext(1, 2);
            ends.source().complete();
            ends.sink().expectComplete();
        }
    }
}
