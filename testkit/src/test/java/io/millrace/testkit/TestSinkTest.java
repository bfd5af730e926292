package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Keep;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Pair;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StreamRuntimeExtension.class)
final class TestSinkTest {
    @Test
    void requestsAddUpToWithoutEndAtMost(StreamRuntime runtime) {
        Pair<TestSource<Integer>, TestSink<Integer>> ends = TestSource.<Integer>probe()
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        ends.second().request(1).request(Long.MAX_VALUE).request(Long.MAX_VALUE);
        ends.first().send(0).send(1).send(2).send(3).complete();
        ends.second().expectNext(0, 1, 2, 3).expectComplete();
    }

    @Test
    void oneThatAsksForNothingIsRefused(StreamRuntime runtime) {
        TestSink<Integer> sink = Source.range(0, 4).runWith(TestSink.probe(), runtime);
        assertThatThrownBy(() -> sink.request(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("count must be at least 1, not 0");
        assertThatThrownBy(() -> sink.request(Long.MIN_VALUE)).hasMessageContaining("at least 1");
        sink.request(1).expectNext(0).expectNothing(Duration.ZERO);
        sink.cancel();
    }
}
