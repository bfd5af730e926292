package io.millrace.streams.reactive;

import io.millrace.streams.Flow;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.testkit.Behaviour;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Processor;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.IdentityProcessorVerification;
import org.reactivestreams.tck.flow.IdentityFlowProcessorVerification;

/** A running flow as a processor. */
@Behaviour("INT-9")
final class ProcessorTckTest extends TckTest {
    private final ExecutorService publisherThreads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        publisherThreads.shutdownNow();
    }

    @TestFactory
    Stream<DynamicTest> runningFlowPasses() {
        return Tck.tests("Flow.toProcessor", Identity::new);
    }

    @TestFactory
    Stream<DynamicTest> runningFlowPassesAsAFlowProcessor() {
        return Tck.tests("Flow.toFlowProcessor", FlowIdentity::new);
    }

    private Publisher<Integer> failedPublisher() {
        return Source.<Integer>failed(new IllegalStateException("meant to fail"))
                .runWith(Sink.asPublisher(), runtime);
    }

    /** The verification, with no more than one subscriber. */
    public final class Identity extends IdentityProcessorVerification<Integer> {
        Identity() {
            super(Tck.environment(), Tck.SLEEP_MILLIS);
        }

        @Override
        public Processor<Integer, Integer> createIdentityProcessor(int bufferSize) {
            return Flow.<Integer>create().toProcessor().run(runtime);
        }

        @Override
        public Publisher<Integer> createFailedPublisher() {
            return failedPublisher();
        }

        @Override
        public ExecutorService publisherExecutorService() {
            return publisherThreads;
        }

        @Override
        public Integer createElement(int element) {
            return element;
        }

        @Override
        public long maxSupportedSubscribers() {
            return 1;
        }
    }

    /** The same for the interfaces of the standard library. */
    public final class FlowIdentity extends IdentityFlowProcessorVerification<Integer> {
        FlowIdentity() {
            super(Tck.environment(), Tck.SLEEP_MILLIS);
        }

        @Override
        protected java.util.concurrent.Flow.Publisher<Integer> createFailedFlowPublisher() {
            return FlowAdapters.toFlowPublisher(failedPublisher());
        }

        @Override
        protected java.util.concurrent.Flow.Processor<Integer, Integer> createIdentityFlowProcessor(int bufferSize) {
            return Flow.<Integer>create().toFlowProcessor().run(runtime);
        }

        @Override
        public ExecutorService publisherExecutorService() {
            return publisherThreads;
        }

        @Override
        public Integer createElement(int element) {
            return element;
        }

        @Override
        public long maxSupportedSubscribers() {
            return 1;
        }
    }
}
