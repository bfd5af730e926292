package io.millrace.streams.operator.bytes;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a file from its beginning, in chunks. Its handlers block. */
public final class PathSource extends GraphStage<SourceShape<ByteBuffer>> {
    private final Path path;
    private final int chunkBytes;
    private final Outlet<ByteBuffer> out = Outlet.create("path.out");
    private final SourceShape<ByteBuffer> shape = SourceShape.of(out);

    public PathSource(Path path, int chunkBytes) {
        this.path = Objects.requireNonNull(path, "path");
        if (chunkBytes < 1) {
            throw new IllegalArgumentException("a chunk must have at least 1 byte, not " + chunkBytes);
        }
        this.chunkBytes = chunkBytes;
    }

    @Override
    public SourceShape<ByteBuffer> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "path";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private @Nullable FileChannel channel;

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void onPull() throws IOException {
            FileChannel file = channel;
            if (file == null) {
                file = FileChannel.open(path, StandardOpenOption.READ);
                channel = file;
            }
            ByteBuffer chunk = ByteBuffer.allocate(chunkBytes);
            if (file.read(chunk) < 0) {
                completeStage();
            } else {
                push(out, chunk.flip());
            }
        }

        @Override
        public void postStop() throws IOException {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
