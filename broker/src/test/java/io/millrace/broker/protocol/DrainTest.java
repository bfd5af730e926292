package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck.AckType;
import io.millrace.wire.CommandSubscribe;
import io.millrace.wire.CommandSubscribe.SubType;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A session that is told to close between a request and its answer: the answer, then the end. */
@Timeout(60)
class DrainTest {
    private final EventLoopGroup loops = new NioEventLoopGroup(1);
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private TopicsFixture topics;
    private RawClient client;
    private Channel channel;

    @BeforeEach
    void connect(@TempDir Path folder) throws Exception {
        topics = new TopicsFixture(folder);
        PublishMemory memory = new PublishMemory(1 << 20);
        Channel acceptor = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel opened) {
                        opened.pipeline()
                                .addLast(new Session(
                                        opened,
                                        ServerSettings.loopback(),
                                        topics.namespaces(),
                                        new Session.Shared(
                                                memory, new FrameMemory(1 << 20), ServerFixture.complaints(opened))));
                        accepted.add(opened);
                    }
                })
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
        client = RawClient.connect(((InetSocketAddress) acceptor.localAddress()).getPort());
        channel = accepted.poll(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        loops.shutdownGracefully(0, 20, TimeUnit.SECONDS).sync();
        topics.close();
    }

    @Test
    @Behaviour("PRO-3")
    void anAcknowledgementIsAnswered() throws Exception {
        client.subscribe(1, "topic", SubType.Shared);
        expectAnswerThenTheEnd(
                BaseCommand.Type.ACK_RESPONSE,
                BaseCommand.Type.ACK,
                c -> c.setAck()
                        .setConsumerId(1)
                        .setAckType(AckType.Individual)
                        .setRequestId(7)
                        .addMessageId()
                        .setLedgerId(1)
                        .setEntryId(0));
    }

    @Test
    @Behaviour("PRO-3")
    void aNewConsumerIsAnswered() throws Exception {
        expectAnswerThenTheEnd(
                BaseCommand.Type.SUCCESS, BaseCommand.Type.SUBSCRIBE, c -> subscribe(c.setSubscribe(), true));
    }

    @Test
    @Behaviour("PRO-3")
    void aRefusedConsumerIsAnswered() throws Exception {
        expectAnswerThenTheEnd(
                BaseCommand.Type.ERROR, BaseCommand.Type.SUBSCRIBE, c -> subscribe(c.setSubscribe(), false));
    }

    @Test
    @Behaviour("PRO-3")
    void whoAsksForPartitionsIsAnswered() throws Exception {
        expectAnswerThenTheEnd(
                BaseCommand.Type.PARTITIONED_METADATA_RESPONSE,
                BaseCommand.Type.PARTITIONED_METADATA,
                c -> c.setPartitionMetadata().setTopic("topic").setRequestId(7));
    }

    @Test
    @Behaviour("PRO-3")
    void aNewProducerIsAnswered() throws Exception {
        expectAnswerThenTheEnd(
                BaseCommand.Type.PRODUCER_SUCCESS,
                BaseCommand.Type.PRODUCER,
                c -> c.setProducer().setProducerId(1).setTopic("topic").setRequestId(7));
    }

    @Test
    @Behaviour("PRO-3")
    void aProducerThatClosesIsAnswered() throws Exception {
        client.producer(1, "topic");
        expectAnswerThenTheEnd(
                BaseCommand.Type.SUCCESS,
                BaseCommand.Type.CLOSE_PRODUCER,
                c -> c.setCloseProducer().setProducerId(1).setRequestId(7));
    }

    private static void subscribe(CommandSubscribe command, boolean createTopic) {
        command.setConsumerId(1)
                .setTopic("topic")
                .setSubscription("sub")
                .setSubType(SubType.Shared)
                .setForceTopicCreation(createTopic)
                .setRequestId(7);
    }

    /** No answer can be written between the two: answers are tasks of the event loop of their own. */
    private void expectAnswerThenTheEnd(BaseCommand.Type answer, BaseCommand.Type request, Consumer<BaseCommand> fill)
            throws Exception {
        byte[] frame = WireFrames.frame(WireFrames.command(request, fill));
        channel.eventLoop().execute(() -> {
            channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(frame));
            channel.pipeline().get(Session.class).connection().drainAndClose();
        });
        client.expect(answer);
        assertThat(client.receive()).as("closed").isNull();
    }
}
