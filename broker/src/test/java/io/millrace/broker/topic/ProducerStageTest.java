package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.EntryHeader;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.stage.StageActorRef;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProducerStageTest {
    private final StreamRuntime runtime = StreamRuntime.create();
    private final RecordingProducer link = new RecordingProducer();
    private final ByteBuf data = Unpooled.buffer();

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    @Test
    void whatWasPublishedBeforeTheCloseGoesOnInOrder() throws Exception {
        Pair<StageActorRef<ProducerCommand>, CompletionStage<List<Publish>>> running =
                source().toMat(Sink.seq(), Keep.both()).run(runtime);
        for (int i = 0; i < 100; i++) {
            running.first().tell(publish(i));
        }
        running.first().tell(ProducerCommand.Close.CLOSE);
        List<Publish> passed = running.second().toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(passed)
                .extracting(publish -> publish.request().sequenceId())
                .hasSize(100)
                .isSorted();
        assertThat(passed).allMatch(publish -> publish.refusal() == null);
        assertThat(link.hasNoAnswer()).isTrue();
        assertThat(data.refCnt()).isEqualTo(101);
    }

    @Test
    void whatIsRefusedTravelsOnInItsPlaceWithoutItsData() throws Exception {
        Pair<StageActorRef<ProducerCommand>, CompletionStage<List<Publish>>> running =
                source().toMat(Sink.seq(), Keep.both()).run(runtime);
        running.first().tell(publish(0));
        running.first().tell(new ProducerCommand.Refuse(new BrokerException(ErrorKind.PRODUCER_FENCED, "no")));
        running.first().tell(publish(1));
        running.first().tell(ProducerCommand.Close.CLOSE);
        List<Publish> passed = running.second().toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(passed).extracting(publish -> publish.refusal() == null).containsExactly(true, false);
        assertThat(data.refCnt()).isEqualTo(2);
    }

    @Test
    void withNobodyDownstreamEveryPublishIsAnsweredAndReleasedUntilTheClose() throws Exception {
        StageActorRef<ProducerCommand> stage = source().to(Sink.cancelled()).run(runtime);
        for (int i = 0; i < 100; i++) {
            stage.tell(publish(i));
        }
        for (int i = 0; i < 100; i++) {
            RecordingProducer.Answer answer = link.nextAnswer();
            assertThat(answer.sequenceId()).isEqualTo(i);
            assertThat(answer.failure().kind()).isEqualTo(ErrorKind.SERVICE_NOT_READY);
        }
        assertThat(link.lastDropped()).isEqualTo(99);
        assertThat(stage.isTerminated()).isFalse();
        stage.tell(ProducerCommand.Close.CLOSE);
        stage.whenTerminated().toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(data.refCnt()).isEqualTo(1);
    }

    private Source<Publish, StageActorRef<ProducerCommand>> source() {
        return Source.fromGraph(new ProducerStage("till", new Outbox(link, new PublishCounts())));
    }

    private PublishRequest publish(long sequenceId) {
        return new PublishRequest(sequenceId, sequenceId, new EntryHeader(1, 0, 0, 0, 0), data.retain());
    }
}
