package io.millrace.broker.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP port: one event loop of its own, so that no request holds up a session of the binary protocol. Thread-safe. What
 * HTTP needs besides the port itself is loaded with the first connection.
 */
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG_CONNECTIONS = 128;
    private static final int LOOP_END_MILLIS = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

    private final EventLoopGroup loop;
    private final ChannelGroup connections;
    private final Channel acceptor;

    private HttpServer(EventLoopGroup loop, ChannelGroup connections, Channel acceptor) {
        this.loop = loop;
        this.connections = connections;
        this.acceptor = acceptor;
    }

    /**
     * Starts to listen.
     *
     * @param bindAddress where, beside the port of the settings
     * @param names by which this broker is known, besides those of the settings
     * @param routes made with the first request
     * @throws IOException if the port cannot be bound; says why, and what to do
     */
    public static HttpServer start(
            HttpSettings settings, String bindAddress, Set<String> names, Supplier<Routes> routes) throws IOException {
        if (!settings.isOn()) {
            throw new IllegalArgumentException("HTTP is off");
        }
        int port = java.util.Objects.requireNonNull(settings.port(), "port");
        EventLoopGroup loop = new NioEventLoopGroup(1, new DefaultThreadFactory("millrace-http"));
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG_CONNECTIONS)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new Connections(settings, names, routes, connections));
        ChannelFuture bound = bootstrap.bind(bindAddress, port).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            end(loop);
            throw new IOException(
                    "cannot listen on " + bindAddress + ":" + port + " for HTTP: " + bound.cause()
                            + "; choose another port with --http-port or http-port, 0 for any free one, or off",
                    bound.cause());
        }
        return new HttpServer(loop, connections, bound.channel());
    }

    /** Sets up each connection; of the event loop. */
    private static final class Connections extends ChannelInitializer<Channel> {
        private final HttpSettings settings;
        private final Set<String> names;
        private final Supplier<Routes> routes;
        private final ChannelGroup open;
        private HttpSession.@Nullable Shared shared;

        Connections(HttpSettings settings, Set<String> names, Supplier<Routes> routes, ChannelGroup open) {
            this.settings = settings;
            this.names = names;
            this.routes = routes;
            this.open = open;
        }

        @Override
        protected void initChannel(Channel channel) {
            open.add(channel);
            if (shared == null) {
                Set<String> known = new java.util.HashSet<>(names);
                known.addAll(settings.hosts());
                shared = new HttpSession.Shared(settings.limits(), new KnownHosts(known), new Once(routes));
            }
            HttpSession.install(channel, shared, open.size() > settings.limits().connections());
        }
    }

    /** Makes the routes with the first request; of the event loop. */
    private static final class Once implements Supplier<Routes> {
        private final Supplier<Routes> making;
        private @Nullable Routes made;

        Once(Supplier<Routes> making) {
            this.making = making;
        }

        @Override
        public Routes get() {
            if (made == null) {
                made = making.get();
            }
            return made;
        }
    }

    /** The TCP port it listens on. */
    public int port() {
        return ((InetSocketAddress) acceptor.localAddress()).getPort();
    }

    /** How many clients are connected. */
    public int connections() {
        return connections.size();
    }

    /** Whether this thread is its event loop, where nobody may wait for it. */
    public boolean isRunningHere() {
        for (EventExecutor each : loop) {
            if (each.inEventLoop()) {
                return true;
            }
        }
        return false;
    }

    /** Stops listening and closes all connections; requests without an answer get none. */
    @Override
    public void close() {
        try {
            acceptor.close().awaitUninterruptibly();
            connections.close().awaitUninterruptibly(LOOP_END_MILLIS);
        } finally {
            end(loop);
        }
    }

    private static void end(EventLoopGroup loop) {
        if (!loop.shutdownGracefully(0, LOOP_END_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2L * LOOP_END_MILLIS)) {
            LOG.warn("the event loop of HTTP did not end within {} ms", 2 * LOOP_END_MILLIS);
        }
    }
}
