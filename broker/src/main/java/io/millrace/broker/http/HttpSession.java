package io.millrace.broker.http;

import io.millrace.broker.memory.OutOfMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpContentException;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP connection. It answers one request after the other, and reads the next one when the last is answered. Owned by the
 * event loop.
 *
 * <pre>
 *   RECEIVING -> ANSWERING   when a whole request is there
 *   ANSWERING -> RECEIVING   when the answer is written; after one that was not well formed, or on request, -> closed
 *   RECEIVING -> closed      when no whole request came in time, or more came at once than wait
 *   ANSWERING -> closed      when the client takes nothing of the answer in time
 * </pre>
 */
final class HttpSession extends ChannelInboundHandlerAdapter {
    /** The longest name of a topic is 1 024 characters, each of which may be nine when it is percent-encoded. */
    private static final int MAX_LINE_BYTES = 16 << 10;

    private static final int MAX_HEADER_BYTES = 16 << 10;
    private static final int MAX_QUERY_PARAMETERS = 64;
    /** One read may hold thousands of small ones. */
    private static final int MAX_WAITING_REQUESTS = 100;

    /** For a verb that never ends: as long as Pulsar's admin client waits. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);

    private static final String REFUSED =
            "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/json\r\n";
    private static final Logger LOG = LoggerFactory.getLogger(HttpSession.class);

    private final Shared shared;
    /** Requests that came in the same bytes as the one that is answered. */
    private final ArrayDeque<FullHttpRequest> next = new ArrayDeque<>(0);

    /** Whether there were more of them than wait: the connection is closed behind those. */
    private boolean isOverrun;

    private boolean isAnswering;
    private @Nullable ScheduledFuture<?> deadline;

    private HttpSession(Shared shared) {
        this.shared = shared;
    }

    /** What all connections share. */
    record Shared(HttpLimits limits, KnownHosts hosts, Supplier<Routes> routes) {}

    /** Sets up a connection, or refuses one that is too many. */
    static void install(Channel channel, Shared shared, boolean isTooMany) {
        if (isTooMany) {
            String reason = "{\"reason\":\"max-http-connections=" + shared.limits.connections()
                    + " are open: close some, or raise the setting\"}";
            String refusal = REFUSED + "Content-Length: " + reason.length() + "\r\n\r\n" + reason;
            channel.writeAndFlush(Unpooled.copiedBuffer(refusal, StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE);
            return;
        }
        long timeoutMillis = shared.limits.timeout().toMillis();
        HttpDecoderConfig sizes =
                new HttpDecoderConfig().setMaxInitialLineLength(MAX_LINE_BYTES).setMaxHeaderSize(MAX_HEADER_BYTES);
        channel.pipeline()
                .addLast(new IdleStateHandler(true, 0, timeoutMillis, 0, TimeUnit.MILLISECONDS))
                .addLast(new HttpServerCodec(sizes))
                .addLast(new WholeRequests(shared.limits.bodyBytes()))
                .addLast(new HttpSession(shared));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        awaitRequest(context);
    }

    private void awaitRequest(ChannelHandlerContext context) {
        isAnswering = false;
        FullHttpRequest waiting = next.poll();
        if (waiting != null) {
            receive(context, waiting);
            return;
        }
        if (isOverrun) {
            close(context);
            return;
        }
        deadline = context.executor()
                .schedule(() -> close(context), shared.limits.timeout().toMillis(), TimeUnit.MILLISECONDS);
        context.channel().config().setAutoRead(true);
    }

    private void stopDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stopDeadline();
        next.forEach(FullHttpRequest::release);
        next.clear();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        FullHttpRequest received = (FullHttpRequest) message;
        if (!isAnswering) {
            receive(context, received);
        } else if (isOverrun || next.size() == MAX_WAITING_REQUESTS) {
            isOverrun = true;
            received.release();
        } else {
            next.add(received);
        }
    }

    private void receive(ChannelHandlerContext context, FullHttpRequest received) {
        stopDeadline();
        isAnswering = true;
        context.channel().config().setAutoRead(false);
        try {
            answer(context, received);
        } finally {
            received.release();
        }
    }

    private void answer(ChannelHandlerContext context, FullHttpRequest received) {
        Throwable malformed = received.decoderResult().cause();
        if (malformed != null) {
            answer(context, new Asked(false, false, false), unreadable(malformed));
            return;
        }
        boolean isHead = HttpMethod.HEAD.equals(received.method());
        Asked asked = new Asked(HttpUtil.isKeepAlive(received), isHead, isOld(received));
        CompletableFuture<Response> answer =
                respond(received, context.channel().localAddress()).toCompletableFuture();
        var unused = answer.orTimeout(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((response, failure) -> PieceWriter.execute(
                        context, () -> answer(context, asked, failure == null ? response : failed(failure))));
    }

    /**
     * What of a request is needed to answer it.
     *
     * @param isOld whether it speaks HTTP/1.0: it takes no chunks, and waits for the end unless it is told that the connection stays
     */
    private record Asked(boolean keepAlive, boolean isHead, boolean isOld) {
        /** Whether the next request can be told from the end of that answer. */
        boolean goesOn(Response response) {
            return keepAlive && (!isOld || response.rest() == null);
        }
    }

    private static boolean isOld(FullHttpRequest received) {
        return received.protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0;
    }

    private static Response unreadable(Throwable malformed) {
        if (malformed instanceof TooLongHttpContentException) {
            return Response.refusal(413, "HTTP 413: " + malformed.getMessage());
        }
        int status = malformed instanceof TooLongHttpLineException
                ? 414
                : malformed instanceof TooLongHttpHeaderException ? 431 : 400;
        return Response.refusal(status, "HTTP " + status + ": the request cannot be read: " + malformed.getMessage());
    }

    private Response failed(Throwable failure) {
        OutOfMemory.tell(failure);
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof java.util.concurrent.TimeoutException
                ? Response.refusal(
                        503, "there was no answer within " + ANSWER_LIMIT.toSeconds() + " s; it may still be done")
                : shared.routes.get().failed(cause);
    }

    private CompletionStage<Response> respond(FullHttpRequest received, SocketAddress local) {
        try {
            RequestTarget target = RequestTarget.of(received.uri());
            String host = shared.hosts.require(
                    host(received, target, local),
                    received.headers().get(HttpHeaderNames.ORIGIN),
                    received.headers().get("sec-fetch-site"));
            return route(received, target.path(), host);
        } catch (RuntimeException refusal) {
            return CompletableFuture.failedFuture(refusal);
        }
    }

    /**
     * The host that a request is for: that of its URL before that of its header; of HTTP/1.0, which probes still speak and no
     * browser does, the address that it came to.
     */
    private static @Nullable String host(FullHttpRequest received, RequestTarget target, SocketAddress local) {
        List<String> hosts = received.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.isEmpty() && isOld(received) && local instanceof InetSocketAddress address) {
            hosts = List.of(NetUtil.toSocketAddressString(address));
        }
        if (hosts.size() != 1) {
            return null;
        }
        return target.authority() == null ? hosts.get(0) : target.authority();
    }

    private CompletionStage<Response> route(FullHttpRequest received, String uri, String host) {
        String method = HttpMethod.HEAD.equals(received.method())
                ? HttpMethod.GET.name()
                : received.method().name();
        int queryStart = uri.indexOf('?');
        Routes.Found found = shared.routes.get().find(method, queryStart < 0 ? uri : uri.substring(0, queryStart));
        String type = received.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
        Request.Content content = new Request.Content(type, ByteBufUtil.getBytes(received.content()));
        return found.handler().handle(new Request(method, found.parts(), query(uri), content, host));
    }

    private static Map<String, List<String>> query(String uri) {
        try {
            return new QueryStringDecoder(uri, java.nio.charset.StandardCharsets.UTF_8, true, MAX_QUERY_PARAMETERS)
                    .parameters();
        } catch (IllegalArgumentException e) {
            throw new HttpRefusal(400, "HTTP 400 Bad Request: the query is not percent-encoded as it should", e);
        }
    }

    private void answer(ChannelHandlerContext context, Asked asked, Response response) {
        boolean goesOn = asked.goesOn(response);
        Pieces rest = asked.isHead ? null : response.rest();
        context.writeAndFlush(head(asked, response, rest)).addListener(written -> {
            if (!written.isSuccess()) {
                close(context);
            } else if (rest == null) {
                answered(context, goesOn);
            } else {
                new PieceWriter(context, rest, ANSWER_LIMIT, () -> answered(context, goesOn)).next();
            }
        });
    }

    /** The whole answer, or what comes before the rest. */
    private static HttpResponse head(Asked asked, Response response, @Nullable Pieces rest) {
        HttpResponseStatus status = HttpResponseStatus.valueOf(response.status());
        ByteBuf body = asked.isHead ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(response.body());
        HttpResponse sent = rest == null
                ? new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body)
                : new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.headers().forEach((name, value) -> sent.headers().set(name, value));
        if (!response.contentType().isEmpty()) {
            sent.headers().set(HttpHeaderNames.CONTENT_TYPE, response.contentType());
        }
        if (response.rest() != null && !asked.isOld) {
            sent.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        } else if (response.rest() == null && response.status() != HttpResponseStatus.NO_CONTENT.code()) {
            sent.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, response.body().length);
        }
        sent.headers().set("x-content-type-options", "nosniff").set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        if (!asked.goesOn(response)) {
            sent.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (asked.isOld) {
            sent.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        return sent;
    }

    private void answered(ChannelHandlerContext context, boolean goesOn) {
        if (goesOn && context.channel().isActive()) {
            awaitRequest(context);
        } else {
            close(context);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent && isAnswering && holdsAnswer(context)) {
            LOG.info("an HTTP client at {} takes nothing of its answer: closed", peer(context));
            close(context);
        }
    }

    private static void close(ChannelHandlerContext context) {
        var unused = context.close();
    }

    private static boolean holdsAnswer(ChannelHandlerContext context) {
        ChannelOutboundBuffer waiting = context.channel().unsafe().outboundBuffer();
        return waiting != null && waiting.totalPendingWriteBytes() > 0;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        OutOfMemory.tell(cause);
        boolean isOfClient = cause instanceof IOException || cause instanceof CodecException;
        if (!isOfClient) {
            LOG.warn("an HTTP connection of {} is closed: it failed", peer(context), cause);
        }
        close(context);
    }

    private static String peer(ChannelHandlerContext context) {
        return context.channel().remoteAddress() instanceof InetSocketAddress address
                ? address.getAddress().getHostAddress() + ":" + address.getPort()
                : "an unknown address";
    }
}
