package io.millrace.broker.protocol;

import io.millrace.broker.inspect.ClientSnapshot;
import io.millrace.broker.memory.DirectMemory;
import io.millrace.broker.namespace.Namespaces;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for clients and serves each in a session of its own, on one of two event loops.
 *
 * <p><b>Threads</b>: any thread starts and closes it, one at a time. The channel group is shared with the event loops by
 * its own rules; sessions belong to their loops.
 */
public final class ProtocolServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProtocolServer.class);
    private static final int EVENT_LOOPS = 2;
    private static final int BACKLOG_CONNECTIONS = 1_024;
    /** The part of the memory outside the heap that unfinished frames may take. */
    private static final int FRAME_PARTS = 4;

    private static final int LOW_WATER_BYTES = 128 << 10;
    private static final int HIGH_WATER_BYTES = 256 << 10;
    private static final Duration COMPLAINT_INTERVAL = Duration.ofMinutes(1);
    private static final long DRAIN_MILLIS = 1_500;
    private static final long LOOP_END_MILLIS = 500;

    private final EventLoopGroup loops;
    private final ChannelGroup connections;
    private final Channel acceptor;
    private final Session.Shared shared;

    private ProtocolServer(EventLoopGroup loops, ChannelGroup connections, Channel acceptor, Session.Shared shared) {
        this.loops = loops;
        this.connections = connections;
        this.acceptor = acceptor;
        this.shared = shared;
    }

    /**
     * Starts to listen.
     *
     * @throws IOException if the address cannot be bound; says which and why
     */
    public static ProtocolServer start(ServerSettings settings, Namespaces namespaces) throws IOException {
        EventLoopGroup loops = new NioEventLoopGroup(EVENT_LOOPS, new DefaultThreadFactory("millrace-session"));
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        Session.Shared shared = new Session.Shared(
                new PublishMemory(settings.maxPendingPublishBytes()),
                new FrameMemory(DirectMemory.limitBytes() / FRAME_PARTS),
                new Complaints(loops, COMPLAINT_INTERVAL));
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG_CONNECTIONS)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES))
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.add(channel);
                        channel.pipeline().addLast(new Session(channel, settings, namespaces, shared));
                    }
                });
        ServerAddress address = settings.address();
        ChannelFuture bound =
                bootstrap.bind(address.bindAddress(), address.port()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            end(loops);
            throw new IOException(
                    "cannot listen on " + address.bindAddress() + ":" + address.port() + ": " + bound.cause(),
                    bound.cause());
        }
        return new ProtocolServer(loops, connections, bound.channel(), shared);
    }

    /** The TCP port it listens on. */
    public int port() {
        return ((InetSocketAddress) acceptor.localAddress()).getPort();
    }

    /** Whether this thread is one of its event loops, where nobody may wait for it. */
    public boolean isRunningHere() {
        for (EventExecutor loop : loops) {
            if (loop.inEventLoop()) {
                return true;
            }
        }
        return false;
    }

    /** How many clients are connected. */
    public int connections() {
        return connections.size();
    }

    /** What each client that is connected has open; each is asked on its event loop. */
    public CompletionStage<List<ClientSnapshot>> clients() {
        CompletionStage<List<ClientSnapshot>> all = CompletableFuture.completedFuture(List.of());
        for (Channel channel : connections) {
            Session session = channel.pipeline().get(Session.class);
            if (session != null) {
                all = all.thenCombine(snapshot(session), ProtocolServer::joined);
            }
        }
        return all;
    }

    private static CompletionStage<List<ClientSnapshot>> snapshot(Session session) {
        CompletableFuture<List<ClientSnapshot>> reply = new CompletableFuture<>();
        boolean isAsked = session.connection()
                .execute(() ->
                        reply.complete(session.connection().isClosed() ? List.of() : List.of(session.snapshot())));
        if (!isAsked) {
            reply.complete(List.of());
        }
        return reply;
    }

    private static List<ClientSnapshot> joined(List<ClientSnapshot> some, List<ClientSnapshot> others) {
        List<ClientSnapshot> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    /** Bytes of messages that have no receipt yet. */
    public long pendingPublishBytes() {
        return shared.publishMemory().pendingBytes();
    }

    /**
     * Checks all clients that have not taken the bytes they were sent. A client that does not answer within five
     * seconds, and has taken nothing by then, is disconnected.
     */
    public void askWhoTakesNothing() {
        for (Channel channel : connections) {
            Session session = channel.pipeline().get(Session.class);
            if (session != null && !channel.isWritable()) {
                session.connection().execute(session.connection()::askIfFull);
            }
        }
    }

    /** Stops accepting and reading, waits at most 1.5 seconds for the answers that are due, then closes all connections. */
    @Override
    public void close() {
        try {
            acceptor.close().awaitUninterruptibly();
            closeConnections();
        } finally {
            end(loops);
            shared.complaints().close();
        }
    }

    private void closeConnections() {
        for (Channel channel : connections) {
            Session session = channel.pipeline().get(Session.class);
            if (session != null) {
                channel.eventLoop().execute(session.connection()::drainAndClose);
            }
        }
        if (!connections.newCloseFuture().awaitUninterruptibly(DRAIN_MILLIS)) {
            LOG.warn("{} connections still waited for answers and were cut off", connections.size());
            connections.close().awaitUninterruptibly(LOOP_END_MILLIS);
        }
    }

    private static void end(EventLoopGroup loops) {
        if (!loops.shutdownGracefully(0, LOOP_END_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2 * LOOP_END_MILLIS)) {
            LOG.warn("event loops did not end within {} ms", 2 * LOOP_END_MILLIS);
        }
    }
}
