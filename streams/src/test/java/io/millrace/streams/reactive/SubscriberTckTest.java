package io.millrace.streams.reactive;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.testkit.Behaviour;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Subscriber;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;

/** The subscriber that a running stream gives back, and the one with which a source subscribes. */
@Behaviour("INT-9")
final class SubscriberTckTest extends TckTest {
    @TestFactory
    Stream<DynamicTest> subscriberThatAStreamGivesBackPasses() {
        return Tck.tests("Source.asSubscriber", () -> new Tck.Subscribing(sink -> Tck.subscriberInto(sink, runtime)));
    }

    @TestFactory
    Stream<DynamicTest> subscriberThatSubscribesToAPublisherPasses() {
        return Tck.tests("Source.fromPublisher", () -> new Tck.Subscribing(this::subscribing));
    }

    @TestFactory
    Stream<DynamicTest> flowSubscriberPasses() {
        return Tck.tests(
                "Source.asFlowSubscriber", () -> new FlowSubscriberBlackboxVerification<Integer>(Tck.environment()) {
                    @Override
                    public Flow.Subscriber<Integer> createFlowSubscriber() {
                        return Source.<Integer>asFlowSubscriber()
                                .to(Sink.ignore())
                                .run(runtime);
                    }

                    @Override
                    public Integer createElement(int element) {
                        return element;
                    }
                });
    }

    @SuppressWarnings("unchecked")
    private Subscriber<Integer> subscribing(Sink<Integer, ?> sink) {
        CompletableFuture<Subscriber<? super Integer>> subscriber = new CompletableFuture<>();
        Source.<Integer>fromPublisher(subscriber::complete).to(sink).run(runtime);
        return (Subscriber<Integer>) subscriber.join();
    }
}
