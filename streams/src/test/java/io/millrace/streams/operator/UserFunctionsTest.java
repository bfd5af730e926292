package io.millrace.streams.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.StreamLeakCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** What becomes of a stream when any function of the user's, in any operator, gives null or throws. */
class UserFunctionsTest {
    /** A substream that was forgotten would end by itself, were it not to wait longer for its run than the leak check does. */
    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<StreamException> reported = new CopyOnWriteArrayList<>();
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withFailureReporter(reported::add));

    @AfterEach
    void nothingMayBeLeft() {
        StreamLeakCheck.assertNoStreams(runtime);
        runtime.close();
    }

    private static List<UserFunction> functions() {
        List<UserFunction> all = new ArrayList<>();
        for (UserFunction.Around around : UserFunction.Around.values()) {
            UserFunction.Table table = new UserFunction.Table(around);
            SourceFunctions.addTo(table);
            FlowFunctions.addTo(table);
            SinkFunctions.addTo(table);
            all.addAll(table.all());
        }
        return all;
    }

    @TestFactory
    @Behaviour("INT-14")
    Stream<DynamicTest> nullFailsTheStreamAtItsOperatorByPathAndSaysWhatToDo() {
        return functions().stream()
                .filter(UserFunction::givesObject)
                .flatMap(function -> soonOrLate(function, Trouble.giving())
                        .map(trouble -> checked(function + ": " + trouble, () -> {
                            Throwable failure = failureOf(function, trouble);
                            assertThat(failure)
                                    .isInstanceOf(NullPointerException.class)
                                    .hasMessageContaining("orders/" + function.operator() + ": ")
                                    .hasMessageContaining("null is no element: leave it out");
                            if (failure.getMessage().contains("the future completed with null")) {
                                assertThat(failure)
                                        .hasMessageContaining("thenApply(v -> element), or Sink.foreachAsync");
                            }
                            isReportedOnceAt(function.operator(), failure);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> futureFailsWithTheVeryThrowableWhichIsReportedOnceWithItsPlace() {
        return functions().stream()
                .flatMap(function -> Stream.of(
                                new IllegalStateException("mine"),
                                new IOException("mine"),
                                new AssertionError("mine"),
                                new Unspeakable())
                        .flatMap(failure -> soonOrLate(function, Trouble.throwing(failure)))
                        .map(trouble -> checked(function + ": " + trouble, () -> {
                            Throwable failure = failureOf(function, trouble);
                            assertThat(failure == trouble.failure())
                                    .as("the future failed with %s", failure.getClass())
                                    .isTrue();
                            isReportedOnceAt(function.operator(), failure);
                        })));
    }

    /** For a function that makes a future, the same later, too. */
    private static Stream<Trouble> soonOrLate(UserFunction function, Trouble trouble) {
        return function.name().startsWith("future") ? Stream.of(trouble, trouble.later()) : Stream.of(trouble);
    }

    /** A test that names itself when it fails, as reports keep only its number. */
    private static DynamicTest checked(String name, Executable test) {
        return DynamicTest.dynamicTest(name, () -> {
            try {
                test.execute();
            } catch (Throwable failure) {
                throw new AssertionError(name, failure);
            }
        });
    }

    private Throwable failureOf(UserFunction function, Trouble trouble) throws Exception {
        reported.clear();
        CompletableFuture<Throwable> failed = new CompletableFuture<>();
        CompletionStage<?> result = function.graph()
                .apply(trouble)
                .withAttributes(Attributes.subscriptionTimeout(LONG))
                .run(runtime);
        result.handle((value, failure) -> failed.complete(
                failure == null ? new AssertionError("completed with " + value + " instead of failing") : failure));
        Throwable failure = failed.get(20, TimeUnit.SECONDS);
        StreamLeakCheck.assertNoStreams(runtime);
        return failure;
    }

    private void isReportedOnceAt(String operator, Throwable failure) {
        List<StreamException> own =
                reported.stream().filter(report -> report.getCause() == failure).toList();
        assertThat(own.stream().map(Throwable::getMessage)).hasSize(1);
        assertThat(own.get(0)).hasMessageStartingWith("stream ").hasMessageContaining("orders/" + operator + ": ");
    }

    /** Its message cannot be had. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @Test
    @Behaviour("INT-14")
    void nullThatIsGivenToTheFactoryOfASourceIsRefusedThereWithTheOperatorsName() {
        Integer missing = SourceFunctions.numbers().isEmpty() ? 1 : null;
        assertThatThrownBy(() -> Source.single(missing))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("single: ")
                .hasMessageContaining("null is no element");
        assertThatThrownBy(() -> Source.of(1, missing)).hasMessageContaining("of: ");
        assertThatThrownBy(() -> Source.repeat(missing)).hasMessageContaining("repeat: ");
        assertThatThrownBy(() -> Source.tick(Duration.ZERO, Duration.ofDays(1), missing))
                .hasMessageContaining("tick: ");
    }
}
