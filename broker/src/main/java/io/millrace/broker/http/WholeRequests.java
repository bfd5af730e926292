package io.millrace.broker.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/** Gathers the parts of a request up to a size; one whose body is larger is answered at once, and its connection closed. */
final class WholeRequests extends HttpObjectAggregator {
    WholeRequests(int maxBodyBytes) {
        super(maxBodyBytes, true);
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) {
        Response refusal =
                Response.refusal(413, "HTTP 413: a body has at most max-http-body-bytes=" + maxContentLength());
        FullHttpResponse sent = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                Unpooled.wrappedBuffer(refusal.body()));
        sent.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, refusal.contentType())
                .setInt(HttpHeaderNames.CONTENT_LENGTH, refusal.body().length)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        context.writeAndFlush(sent).addListener(ChannelFutureListener.CLOSE);
    }
}
