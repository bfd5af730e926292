package io.millrace.broker.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpContentException;
import org.jspecify.annotations.Nullable;

/** Gathers the parts of a request up to a size. In place of one whose body is larger comes one without a body that has failed. */
final class WholeRequests extends HttpObjectAggregator {
    WholeRequests(int maxBodyBytes) {
        super(maxBodyBytes, true);
    }

    /** Who asks whether it may send a body that is too large is told in its turn, as others are. */
    @Override
    protected @Nullable Object newContinueResponse(HttpMessage start, int maxContentLength, ChannelPipeline pipeline) {
        return HttpUtil.getContentLength(start, -1L) > maxContentLength
                ? null
                : super.newContinueResponse(start, maxContentLength, pipeline);
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) {
        FullHttpRequest failed = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        failed.setDecoderResult(DecoderResult.failure(
                new TooLongHttpContentException("a body has at most max-http-body-bytes=" + maxContentLength())));
        context.fireChannelRead(failed);
    }
}
