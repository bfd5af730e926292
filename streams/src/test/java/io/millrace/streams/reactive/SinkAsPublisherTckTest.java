package io.millrace.streams.reactive;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.testkit.Behaviour;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.flow.FlowPublisherVerification;

/** The publisher that a running stream gives back. */
@Behaviour("INT-9")
final class SinkAsPublisherTckTest extends TckTest {
    @TestFactory
    Stream<DynamicTest> oneShotPublisherPasses() {
        return Tck.tests("Sink.asPublisher", () -> new Tck.Publishing(this::publisher));
    }

    @TestFactory
    Stream<DynamicTest> oneShotFlowPublisherPasses() {
        return Tck.tests(
                "Sink.asFlowPublisher",
                () -> new FlowPublisherVerification<Integer>(Tck.environment(), Tck.SLEEP_MILLIS) {
                    @Override
                    public Flow.Publisher<Integer> createFlowPublisher(long elements) {
                        return Tck.numbers(elements).runWith(Sink.asFlowPublisher(), runtime);
                    }

                    @Override
                    public Flow.Publisher<Integer> createFailedFlowPublisher() {
                        return FlowAdapters.toFlowPublisher(
                                publisher(Source.failed(new IllegalStateException("meant to fail"))));
                    }
                });
    }

    private Publisher<Integer> publisher(Source<Integer, ?> source) {
        return source.runWith(Sink.asPublisher(), runtime);
    }
}
