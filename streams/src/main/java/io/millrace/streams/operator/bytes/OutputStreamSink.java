package io.millrace.streams.operator.bytes;

import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is left in each buffer to an output stream, flushes that when nothing more is at hand, closes it exactly once and gives back how
 * many bytes it wrote. Its handlers block.
 */
public final class OutputStreamSink
        extends GraphStageWithMaterializedValue<SinkShape<ByteBuffer>, CompletionStage<Long>> {
    private static final int COPY_BYTES = 8192;

    private final ThrowingSupplier<? extends OutputStream> factory;
    private final Inlet<ByteBuffer> in = Inlet.create("outputStream.in");
    private final SinkShape<ByteBuffer> shape = SinkShape.of(in);

    public OutputStreamSink(ThrowingSupplier<? extends OutputStream> factory) {
        this.factory = Objects.requireNonNull(factory, "factory");
    }

    @Override
    public SinkShape<ByteBuffer> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "outputStream";
    }

    @Override
    public LogicAndValue<CompletionStage<Long>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.written);
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private final CompletableFuture<Long> written = promise();
        private final Later idle = new Later(this, this::flush);
        private @Nullable OutputStream stream;
        private long writtenBytes;

        Logic() {
            super(shape);
            setHandler(in, this);
        }

        @Override
        public void preStart() {
            try {
                stream = Step.required(factory.make(), "toOutputStream");
            } catch (Throwable failure) {
                failStage(failure);
                return;
            }
            pull(in);
        }

        @Override
        public void onPush() throws IOException {
            ByteBuffer chunk = grab(in).duplicate(); // others may have the same element
            int bytes = chunk.remaining();
            write(chunk, Objects.requireNonNull(stream, "stream"));
            writtenBytes += bytes;
            tryPull(in);
            idle.ask();
        }

        private void flush() throws IOException {
            if (stream != null) {
                stream.flush();
            }
        }

        private static void write(ByteBuffer chunk, OutputStream target) throws IOException {
            if (chunk.hasArray()) {
                target.write(chunk.array(), chunk.arrayOffset() + chunk.position(), chunk.remaining());
                chunk.position(chunk.limit());
                return;
            }
            byte[] copy = new byte[Math.min(COPY_BYTES, chunk.remaining())];
            while (chunk.hasRemaining()) {
                int part = Math.min(copy.length, chunk.remaining());
                chunk.get(copy, 0, part);
                target.write(copy, 0, part);
            }
        }

        @Override
        public void onUpstreamFinish() throws IOException {
            close();
            written.complete(writtenBytes);
            completeStage();
        }

        @Override
        public void postStop() throws IOException {
            close();
        }

        private void close() throws IOException {
            OutputStream open = stream;
            stream = null;
            if (open != null) {
                open.close();
            }
        }
    }
}
