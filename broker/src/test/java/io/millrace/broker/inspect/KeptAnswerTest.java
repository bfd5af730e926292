package io.millrace.broker.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KeptAnswerTest {
    private static final long NOW = Long.MAX_VALUE - 5; // where nanoTime runs over
    private final KeptAnswer<String> answer = new KeptAnswer<>();

    @Test
    void anAnswerHoldsUntilSomethingChanges() {
        assertThat(answer.get(NOW)).isNull();
        answer.keep(answer.ask(), "all is quiet", NOW);
        assertThat(answer.get(NOW)).isEqualTo("all is quiet");
        answer.drop();
        assertThat(answer.get(NOW)).isNull();
    }

    @Test
    void whatChangesWhileTheOwnersAreAskedLeavesNothingKept() {
        KeptAnswer.Question question = answer.ask();
        answer.drop();
        answer.keep(question, "outdated", NOW);
        assertThat(answer.get(NOW)).isNull();
    }

    @Test
    void ofTwoWhoAskAtOnceTheLaterQuestionIsKept() {
        KeptAnswer.Question first = answer.ask();
        KeptAnswer.Question second = answer.ask();
        answer.keep(first, "first", NOW);
        assertThat(answer.get(NOW)).isNull();
        answer.keep(second, "second", NOW);
        assertThat(answer.get(NOW)).isEqualTo("second");
        answer.ask();
        assertThat(answer.get(NOW)).isNull();
    }

    @Test
    void nothingIsKeptAfterTheEnd() {
        KeptAnswer.Question question = answer.ask();
        answer.end();
        answer.keep(question, "of another", NOW);
        answer.keep(answer.ask(), "of another", NOW);
        assertThat(answer.get(NOW)).isNull();
    }

    @Test
    void noAnswerIsOlderThanHalfAMinute() {
        answer.keep(answer.ask(), "old", NOW);
        long life = TimeUnit.SECONDS.toNanos(30);
        assertThat(answer.get(NOW + life - 1)).isEqualTo("old");
        assertThat(answer.get(NOW + life)).isNull();
    }
}
