package io.millrace.streams.operator.bytes;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Writes what is left in each buffer to a file and gives back how many bytes it wrote. Its handlers block. */
public final class PathSink extends GraphStageWithMaterializedValue<SinkShape<ByteBuffer>, CompletionStage<Long>> {
    private final Path path;
    private final Set<OpenOption> options;
    private final Inlet<ByteBuffer> in = Inlet.create("path.in");
    private final SinkShape<ByteBuffer> shape = SinkShape.of(in);

    public PathSink(Path path, Set<OpenOption> options) {
        this.path = Objects.requireNonNull(path, "path");
        this.options = Set.copyOf(options);
    }

    @Override
    public SinkShape<ByteBuffer> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "path";
    }

    @Override
    public LogicAndValue<CompletionStage<Long>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.written);
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private final CompletableFuture<Long> written = promise();
        private @Nullable FileChannel channel;
        private long writtenBytes;

        Logic() {
            super(shape);
            setHandler(in, this);
        }

        @Override
        public void preStart() {
            try {
                channel = FileChannel.open(path, options);
            } catch (Throwable failure) {
                failStage(failure);
                return;
            }
            pull(in);
        }

        @Override
        public void onPush() throws IOException {
            ByteBuffer chunk = grab(in).duplicate(); // others may have the same element
            FileChannel file = Objects.requireNonNull(channel, "channel");
            while (chunk.hasRemaining()) {
                writtenBytes += file.write(chunk);
            }
            tryPull(in);
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
            FileChannel file = channel;
            channel = null;
            if (file != null) {
                file.close();
            }
        }
    }
}
