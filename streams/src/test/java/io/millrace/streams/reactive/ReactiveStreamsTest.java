package io.millrace.streams.reactive;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.StreamLeakCheck;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

final class ReactiveStreamsTest extends TckTest {
    @Test
    @Behaviour("INT-9")
    void secondSubscriberOfAOneShotPublisherIsRefused() {
        Publisher<Integer> publisher = Source.range(0, 3).runWith(Sink.asPublisher(), runtime);
        PeerSubscriber<Integer> first = new PeerSubscriber<>();
        PeerSubscriber<Integer> second = new PeerSubscriber<>();
        publisher.subscribe(first);
        publisher.subscribe(second);
        assertThat(second.awaitFailure())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("serves one subscriber");
        first.request(5);
        first.awaitCompletion();
        assertThat(first.elements()).containsExactly(0, 1, 2);
        assertThat(second.elements()).isEmpty();
    }

    @Test
    void subscriberThatComesAfterTheEndIsToldHowItEnded() {
        IllegalStateException mine = new IllegalStateException("mine");
        Publisher<Integer> completed = Source.<Integer>empty().runWith(Sink.asPublisher(), runtime);
        Publisher<Integer> failed = Source.<Integer>failed(mine).runWith(Sink.asPublisher(), runtime);
        StreamLeakCheck.assertNoStreams(runtime);
        PeerSubscriber<Integer> late = new PeerSubscriber<>();
        completed.subscribe(late);
        late.awaitCompletion();
        PeerSubscriber<Integer> lateToo = new PeerSubscriber<>();
        failed.subscribe(lateToo);
        assertThat(lateToo.awaitFailure()).isSameAs(mine);
    }

    @Test
    @Behaviour("INT-9")
    void anIdleRuntimeKeepsNoSubscriberThatCancelled() {
        for (int i = 0; i < 10; i++) {
            WeakReference<Object> subscriber = subscribeAndCancel();
            StreamLeakCheck.assertNoStreams(runtime);
            Await.until(() -> {
                System.gc();
                return subscriber.get() == null;
            });
        }
    }

    private WeakReference<Object> subscribeAndCancel() {
        PeerSubscriber<Integer> subscriber = new PeerSubscriber<>();
        Source.range(0, 1_000_000).toPublisher(runtime).subscribe(subscriber);
        subscriber.request(2);
        subscriber.cancel();
        return new WeakReference<>(subscriber);
    }

    @Test
    @Behaviour("INT-9")
    void nullFromAPeerIsThrownBackAndFailsTheStream() {
        PeerPublisher<Integer> peer = new PeerPublisher<>();
        TestSink<Integer> sink = Source.fromPublisher(peer).runWith(TestSink.probe(), runtime);
        sink.request(1);
        peer.awaitRequest();
        assertThatThrownBy(peer::sendNull)
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("2.13");
        assertThat(sink.expectError()).isInstanceOf(NullPointerException.class).hasMessageContaining("onNext");
        peer.awaitCancellation();
        StreamLeakCheck.assertNoStreams(runtime);
    }

    @Test
    @Behaviour("INT-9")
    void peerThatSendsMoreThanItWasAskedForFailsTheStream() {
        PeerPublisher<Integer> peer = new PeerPublisher<>();
        TestSink<Integer> sink = Source.fromPublisher(peer).runWith(TestSink.probe(), runtime);
        long asked = peer.awaitRequest();
        for (int i = 0; i <= asked; i++) {
            peer.send(i);
        }
        assertThat(sink.expectError()).isInstanceOf(IllegalStateException.class).hasMessageContaining("1.1");
        peer.awaitCancellation();
        StreamLeakCheck.assertNoStreams(runtime);
    }

    /** Sends until it is cancelled, or until it has sent far too much; within a call of its subscriber. */
    private static final class Torrent implements Publisher<Integer> {
        private static final int FAR_TOO_MUCH = 100_000;
        private final boolean waitsForARequest;
        private boolean isCancelled;
        private int sent;

        Torrent(boolean waitsForARequest) {
            this.waitsForARequest = waitsForARequest;
        }

        @Override
        public void subscribe(Subscriber<? super Integer> subscriber) {
            subscriber.onSubscribe(new Subscription() {
                @Override
                public void request(long count) {
                    pour(subscriber);
                }

                @Override
                public void cancel() {
                    isCancelled = true;
                }
            });
            if (!waitsForARequest) {
                pour(subscriber);
            }
        }

        private void pour(Subscriber<? super Integer> subscriber) {
            while (!isCancelled && sent < FAR_TOO_MUCH) {
                subscriber.onNext(sent++);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Behaviour("INT-9")
    void peerThatSendsUntilItIsCancelledIsCancelledWhereItSends(boolean waitsForARequest) throws Exception {
        Torrent torrent = new Torrent(waitsForARequest);
        CompletionStage<?> end = Source.fromPublisher(torrent).runWith(Sink.ignore(), runtime);
        assertThat(Await.awaitFailure(end))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1.1");
        StreamLeakCheck.assertNoStreams(runtime);
        assertThat(torrent.sent).isLessThan(Torrent.FAR_TOO_MUCH);
    }

    @Test
    @Behaviour("INT-9")
    void elementAfterTheEndFailsTheStreamThatHasNotDrained() {
        PeerPublisher<Integer> peer = new PeerPublisher<>();
        TestSink<Integer> sink = Source.fromPublisher(peer).runWith(TestSink.probe(), runtime);
        peer.awaitRequest();
        peer.send(1);
        peer.complete();
        peer.send(2);
        assertThat(sink.expectError()).isInstanceOf(IllegalStateException.class).hasMessageContaining("1.7");
    }

    @Test
    @Behaviour("INT-9")
    void elementWithoutASubscriptionFailsTheStream() {
        Pair<Subscriber<Integer>, TestSink<Integer>> running = Source.<Integer>asSubscriber()
                .toMat(TestSink.probe(), Keep.both())
                .run(runtime);
        running.first().onNext(1);
        assertThat(running.second().expectError()).isInstanceOf(IllegalStateException.class);
        PeerPublisher<Integer> late = new PeerPublisher<>();
        late.subscribe(running.first());
        late.awaitCancellation();
    }

    @Test
    @Behaviour("INT-9")
    void subscriberThatThrowsIsGivenUpAndFailsTheStream() {
        TestSource<Integer> source = TestSource.<Integer>probe()
                .to(Sink.fromSubscriber(
                        new PeerSubscriber<Integer>() {
                            @Override
                            public void onNext(Integer element) {
                                throw new IllegalStateException("mine");
                            }

                            @Override
                            public void onError(Throwable failure) {
                                throw new AssertionError("a subscriber that has thrown was told more", failure);
                            }
                        }.requesting(2)))
                .run(runtime);
        source.send(1).expectPull();
        assertThat(source.awaitCancellation()).hasMessage("mine");
        StreamLeakCheck.assertNoStreams(runtime);
        assertThat(reported).hasSize(1);
    }

    @Test
    @Behaviour("INT-9")
    void cancellationOfASubscriberReachesTheSourceAndAFailureReachesTheSubscriber() {
        PeerSubscriber<Integer> peer = new PeerSubscriber<>();
        TestSource<Integer> source =
                TestSource.<Integer>probe().to(Sink.fromSubscriber(peer)).run(runtime);
        peer.request(1);
        source.expectPull();
        peer.cancel();
        source.expectCancellation();
        PeerSubscriber<Integer> other = new PeerSubscriber<>();
        Source.<Integer>never().to(Sink.fromSubscriber(other)).run(runtime);
        runtime.close();
        assertThat(other.awaitFailure()).isInstanceOf(AbruptTerminationException.class);
        PeerSubscriber<Integer> refused = new PeerSubscriber<>();
        Source.range(0, 1).toPublisher(runtime).subscribe(refused);
        assertThat(refused.awaitFailure()).hasMessageContaining("closed");
    }

    @Test
    void fanOutPublisherServesSeveralSubscribersAtThePaceOfTheSlowest() {
        Pair<TestSource<Integer>, Publisher<Integer>> running = TestSource.<Integer>probe()
                .toMat(Sink.<Integer>asFanOutPublisher(4, runtime), Keep.both())
                .run(runtime);
        PeerSubscriber<Integer> one = new PeerSubscriber<Integer>().requesting(10);
        PeerSubscriber<Integer> two = new PeerSubscriber<Integer>().requesting(10);
        running.second().subscribe(one);
        one.awaitSubscription();
        running.second().subscribe(two);
        two.awaitSubscription();
        for (int i = 0; i < 8; i++) {
            running.first().send(i);
        }
        running.first().complete();
        one.awaitCompletion();
        two.awaitCompletion();
        assertThat(one.elements()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(one.elements()).endsWith(two.elements().toArray(new Integer[0]));
    }

    @Test
    void standardLibraryPublishersAndProcessorsTakePart() throws Exception {
        CompletionStage<List<Integer>> all;
        CountDownLatch subscribed = new CountDownLatch(1);
        try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
            all = Source.<Integer>fromFlowPublisher(subscriber -> {
                        publisher.subscribe(subscriber);
                        subscribed.countDown();
                    })
                    .via(Flow.<Integer, Integer>fromFlowProcessor(() -> Flow.<Integer>create()
                            .map(x -> x + 1)
                            .toFlowProcessor()
                            .run(runtime)))
                    .via(Flow.<Integer, Integer>fromProcessor(() ->
                            Flow.<Integer>create().map(x -> x * 2).toProcessor().run(runtime)))
                    .runWith(Sink.seq(), runtime);
            assertThat(subscribed.await(10, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 1000; i++) {
                publisher.offer(i, 10, TimeUnit.SECONDS, null);
            }
        }
        assertThat(await(all)).hasSize(1000).startsWith(2, 4, 6).endsWith(2000);
        StreamLeakCheck.assertNoStreams(runtime);
    }

    @Test
    void blueprintWithAProcessorRunsManyTimes() throws Exception {
        Flow<Integer, Integer, ?> viaProcessor = Flow.fromProcessor(
                () -> Flow.<Integer>create().take(2).toProcessor().run(runtime));
        for (int i = 0; i < 3; i++) {
            assertThat(await(Source.range(0, 5).via(viaProcessor).runWith(Sink.seq(), runtime)))
                    .containsExactly(0, 1);
        }
    }

    @Test
    @Behaviour("INT-9")
    void aSubscriberOfWhatCannotBePutTogetherIsToldOnceAndWhy() {
        List<String> told = new CopyOnWriteArrayList<>();
        Source.of(1, 2)
                .mapMaterializedValue(value -> {
                    throw new IllegalStateException("mine");
                })
                .toPublisher(runtime)
                .subscribe(new PeerSubscriber<Integer>() {
                    @Override
                    public void onSubscribe(Subscription accepted) {
                        told.add("subscribed");
                    }

                    @Override
                    public void onError(Throwable failure) {
                        told.add(failure.getMessage());
                    }
                });
        assertThat(told).containsExactly("subscribed", "mine");
        StreamLeakCheck.assertNoStreams(runtime);
    }
}
