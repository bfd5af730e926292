package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The verifier passes what is right, and says of what is wrong where and after what. */
class StreamVerifierTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofMillis(20);

    private static void assertFails(ThrowingCallable verification, String message) {
        assertThatThrownBy(verification).isInstanceOf(AssertionError.class).hasMessage(message);
    }

    @Test
    void aScriptThatFitsPasses() {
        StreamVerifier.create(Source.range(0, 10))
                .expectNext(0, 1)
                .expectNextCount(6)
                .consumeNext(n -> assertThat(n).isEqualTo(8))
                .expectNextMatches(n -> n == 9)
                .expectComplete()
                .verify();
        StreamVerifier.create(Source.of(1).concat(Source.failed(new IOException("mine"))))
                .expectNext(1)
                .consumeFailure(failure -> assertThat(failure).hasMessage("mine"))
                .verify();
        StreamVerifier.create(Source.failed(new IOException("mine")))
                .expectFailure(IOException.class)
                .verify();
        StreamVerifier.create(Source.failed(new IOException("mine")))
                .expectFailure()
                .verify();
    }

    @Test
    void whatIsDueNowNeedsNoTime() {
        StreamVerifier.withVirtualTime(() -> Source.tick(Duration.ZERO, Duration.ofDays(1), "x"))
                .expectNext("x")
                .expectNothing(Duration.ofHours(23))
                .thenCancel()
                .verify();
    }

    @Test
    void allElementsAreAskedForWhileTimePasses() {
        StreamVerifier.withVirtualTime(() -> Source.tick(SECOND, SECOND, "t"))
                .thenAwait(Duration.ofSeconds(10_000))
                .expectNextCount(10_000)
                .expectNothing(Duration.ofMillis(900))
                .thenCancel()
                .verify();
    }

    @Test
    void aStreamThatEndsByForceHasFailed() {
        StreamVerifier.create(Source.fromGraph(new Unstartable()))
                .expectFailure(IllegalStateException.class)
                .verify();
        assertFails(
                () -> StreamVerifier.create(Source.fromGraph(new Unstartable()))
                        .expectNothing(SECOND)
                        .thenCancel()
                        .verify(),
                "step 1, expectNothing[PT1S]: expected nothing for PT1S, but saw failure"
                        + " java.lang.IllegalStateException: cannot start; seen so far:"
                        + " [failure java.lang.IllegalStateException: cannot start]");
    }

    /** A source whose logic fails as it starts. */
    private static final class Unstartable extends GraphStage<SourceShape<Integer>> {
        private final Outlet<Integer> out = Outlet.create("unstartable.out");
        private final SourceShape<Integer> shape = SourceShape.of(out);

        @Override
        public SourceShape<Integer> shape() {
            return shape;
        }

        @Override
        public GraphStageLogic createLogic(Attributes inherited) {
            return new GraphStageLogic(shape) {
                {
                    setHandler(out, () -> {});
                }

                @Override
                public void preStart() {
                    throw new IllegalStateException("cannot start");
                }
            };
        }
    }

    @Test
    void stepsThatAreAddedLaterAreOfLaterVerifications() {
        StreamVerifier<Integer> verifier =
                StreamVerifier.create(Source.of(1, 2)).expectNext(1);
        StreamVerifier<Integer>.Verification first = verifier.thenCancel();
        verifier.expectNext(2).expectComplete().verify();
        first.verify();
    }

    @Test
    void aVerificationRunsTheSourceEachTime() {
        StreamVerifier<Integer>.Verification verification =
                StreamVerifier.create(Source.of(1, 2)).expectNext(1, 2).expectComplete();
        verification.verify();
        verification.verify();
    }

    @Test
    void anotherElementFailsTheStepThatExpectedIt() {
        assertFails(
                () -> StreamVerifier.create(Source.of(1, 2, 3))
                        .expectNext(1)
                        .expectNext(2, 4)
                        .expectComplete()
                        .verify(),
                "step 2, expectNext[2, 4]: expected element 4, but saw element 3;"
                        + " seen so far: [element 1, element 2, element 3]");
    }

    @Test
    void ofManyEventsTheLastHundredAreTold() {
        String last = IntStream.rangeClosed(51, 150)
                .mapToObj(number -> "element " + number)
                .collect(Collectors.joining(", ", "[", "]"));
        assertFails(
                () -> StreamVerifier.create(Source.range(1, 200))
                        .expectNextCount(149)
                        .expectNext(-1)
                        .expectComplete()
                        .verify(),
                "step 2, expectNext[-1]: expected element -1, but saw element 150; seen so far: 50 others, " + last);
    }

    @Test
    void noTextIsMadeOfElementsThatFit() {
        AtomicInteger texts = new AtomicInteger();
        Object element = new Object() {
            @Override
            public String toString() {
                texts.incrementAndGet();
                return "one";
            }
        };
        StreamVerifier.create(Source.of(element, element))
                .expectNextCount(2)
                .expectComplete()
                .verify();
        assertThat(texts).hasValue(0);
    }

    @Test
    void anEndThatIsNotTheOneExpectedFails() {
        assertFails(
                () -> StreamVerifier.create(Source.of(1))
                        .expectNextCount(2)
                        .expectComplete()
                        .verify(),
                "step 1, expectNextCount[2]: expected element 2 of 2, but saw completion;"
                        + " seen so far: [element 1, completion]");
        assertFails(
                () -> StreamVerifier.create(Source.of(1)).expectComplete().verify(),
                "step 1, expectComplete: expected the completion, but saw element 1; seen so far: [element 1]");
        assertFails(
                () -> StreamVerifier.create(Source.empty()).expectFailure().verify(),
                "step 1, expectFailure: expected a failure, but saw completion; seen so far: [completion]");
        assertThatThrownBy(() -> StreamVerifier.create(Source.failed(new IOException("mine")))
                        .expectFailure(RuntimeException.class)
                        .verify())
                .hasMessageContaining("expected a failure of class java.lang.RuntimeException")
                .hasRootCauseMessage("mine");
    }

    @Test
    void checksOfTheTestFailTheirStep() {
        assertThatThrownBy(() -> StreamVerifier.create(Source.of(1))
                        .consumeNext(n -> assertThat(n).isEqualTo(2))
                        .thenCancel()
                        .verify())
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("step 1, consumeNext: ")
                .hasMessageEndingWith("seen so far: [element 1]");
        assertFails(
                () -> StreamVerifier.create(Source.of(1))
                        .expectNextMatches(n -> n > 1)
                        .thenCancel()
                        .verify(),
                "step 1, expectNextMatches: the condition does not hold for element 1; seen so far: [element 1]");
    }

    @Test
    void nothingComesThatWasNotAskedFor() {
        StreamVerifier.create(Source.range(0, 10), 1)
                .expectNext(0)
                .expectNothing(SOON)
                .thenRequest(2)
                .expectNext(1, 2)
                .expectNothing(SOON)
                .thenCancel()
                .verify();
        assertFails(
                () -> StreamVerifier.create(Source.range(0, 10), 0)
                        .expectNext(0)
                        .thenCancel()
                        .verify(SOON),
                "step 1, expectNext[0]: expected element 0, but nothing came in PT0.02S (0 asked for);"
                        + " seen so far: []");
        assertFails(
                () -> StreamVerifier.create(Source.of(1))
                        .expectNothing(Duration.ofSeconds(20))
                        .thenCancel()
                        .verify(),
                "step 1, expectNothing[PT20S]: expected nothing for PT20S, but saw element 1;"
                        + " seen so far: [element 1]");
    }

    @Test
    void anEndlessSourceIsHeldBackUntilItIsLookedAt() {
        StreamVerifier.create(Source.repeat("again"))
                .expectNextCount(20_000)
                .thenCancel()
                .verify();
        StreamVerifier.withVirtualTime(() -> Source.repeat("again"))
                .expectNextCount(20_000)
                .thenCancel()
                .verify();
    }

    @Test
    void virtualDaysPassAtOnce() {
        StreamVerifier.withVirtualTime(() -> Source.tick(Duration.ofDays(1), Duration.ofDays(1), "day")
                        .take(3))
                .expectNothing(Duration.ofDays(1).minusNanos(1))
                .thenAwait(Duration.ofNanos(1))
                .expectNext("day")
                .thenAwait(Duration.ofDays(2))
                .expectNext("day", "day")
                .expectComplete()
                .verify();
        assertThatThrownBy(() -> StreamVerifier.withVirtualTime(() -> Source.tick(SECOND, SECOND, "tick"))
                        .expectNothing(SECOND)
                        .thenCancel()
                        .verify())
                .hasMessageContaining("but saw element tick");
    }

    @Test
    void waitsOfStagesFollowTheVirtualClock() {
        RestartSettings settings = RestartSettings.of(
                Backoff.exponential(Duration.ofHours(1), Duration.ofHours(4)).withJitter(0));
        StreamVerifier.withVirtualTime(() -> Source.restarting(settings, () -> Source.single("run")))
                .expectNext("run")
                .expectNothing(Duration.ofMinutes(59))
                .thenAwait(Duration.ofMinutes(1))
                .expectNext("run")
                .thenAwait(Duration.ofHours(2))
                .expectNext("run")
                .thenCancel()
                .verify();
    }

    @Test
    void realTimePassesToo() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        StreamVerifier.create(Source.fromCompletionStage(answer))
                .expectNothing(SOON)
                .then(() -> answer.complete("answer"))
                .thenAwait(SOON)
                .expectNext("answer")
                .expectComplete()
                .verify();
    }

    @Test
    void requestsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> StreamVerifier.create(Source.empty(), -1))
                .hasMessage("requested must be 0 or more, not -1");
        assertThatThrownBy(() -> StreamVerifier.create(Source.empty()).thenRequest(0))
                .hasMessage("a request must be for at least 1 element, not 0");
    }
}
