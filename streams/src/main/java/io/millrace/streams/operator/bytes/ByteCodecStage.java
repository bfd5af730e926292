package io.millrace.streams.operator.bytes;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Emits what a codec makes of the bytes that come, one buffer for each that is asked for. */
public final class ByteCodecStage extends LinearStage<ByteBuffer, ByteBuffer> {
    private final Supplier<? extends ByteCodec> codecs;

    public ByteCodecStage(String name, Supplier<? extends ByteCodec> codecs) {
        super(name);
        this.codecs = Objects.requireNonNull(codecs, "codecs");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new CodecLogic();
    }

    private final class CodecLogic extends Logic<ByteBuffer, ByteBuffer> {
        private @Nullable ByteCodec codec;
        private @Nullable ByteBuffer ready;
        private boolean finishing;

        CodecLogic() {
            super(ByteCodecStage.this);
        }

        @Override
        public void preStart() {
            codec = codecs.get();
        }

        private ByteCodec codec() {
            return Objects.requireNonNull(codec, "codec");
        }

        @Override
        public void onPush() throws Exception {
            codec().accept(grab(in));
            ready = codec().next();
            emitOrAsk();
        }

        @Override
        public void onPull() throws Exception {
            emitOrAsk();
        }

        @Override
        public void onUpstreamFinish() throws Exception {
            finishIfDrained();
            emitOrAsk();
        }

        /** The codec is told of the end when nothing is left of what came before. */
        private void finishIfDrained() throws Exception {
            if (ready == null && isClosed(in) && !finishing) {
                finishing = true;
                codec().finish();
                ready = codec().next();
            }
        }

        private void emitOrAsk() throws Exception {
            ByteBuffer next = ready;
            if (next != null && isAvailable(out)) {
                push(out, next);
                ready = codec().next();
                finishIfDrained();
            }
            if (ready != null) {
                return;
            }
            if (finishing) {
                completeStage();
            } else if (isAvailable(out)) {
                tryPull(in);
            }
        }

        @Override
        public void postStop() {
            if (codec != null) {
                codec.close();
            }
        }
    }
}
