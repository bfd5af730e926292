package io.millrace.streams.reactive;

import io.millrace.streams.Source;
import io.millrace.testkit.Behaviour;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.tck.flow.FlowPublisherVerification;

/** The publisher that runs a source for each subscriber, into the sink that sends to a subscriber. */
@Behaviour("INT-9")
final class SourceToPublisherTckTest extends TckTest {
    @TestFactory
    Stream<DynamicTest> publisherOfASourcePasses() {
        return Tck.tests("Source.toPublisher", () -> new Tck.Publishing(source -> source.toPublisher(runtime)));
    }

    @TestFactory
    Stream<DynamicTest> flowPublisherOfASourcePasses() {
        return Tck.tests(
                "Source.toFlowPublisher",
                () -> new FlowPublisherVerification<Integer>(Tck.environment(), Tck.SLEEP_MILLIS) {
                    @Override
                    public Flow.Publisher<Integer> createFlowPublisher(long elements) {
                        return flowPublisher(Tck.numbers(elements));
                    }

                    @Override
                    public Flow.Publisher<Integer> createFailedFlowPublisher() {
                        return flowPublisher(Source.failed(new IllegalStateException("meant to fail")));
                    }
                });
    }

    private Flow.Publisher<Integer> flowPublisher(Source<Integer, ?> source) {
        return source.toFlowPublisher(runtime);
    }
}
