package io.millrace.streams.operator;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collector;

/** Every function that a user gives to a sink with a future. */
final class SinkFunctions {
    private SinkFunctions() {}

    static void addTo(UserFunction.Table table) {
        table.sink("foreach", "action", false, t -> Sink.foreach(n -> t.now()))
                .sink("fold", "function", true, t -> Sink.<Integer, Integer>fold(0, (sum, n) -> t.now()))
                .sink("reduce", "function", true, t -> Sink.reduce((sum, n) -> t.now()))
                .sink("filter", "condition of exists", false, t -> Sink.exists(n -> t.test()))
                .sink("filter", "condition of forall", false, t -> Sink.forall(n -> t.test()))
                .sink("filter", "condition of none", false, t -> Sink.none(n -> t.test()))
                .sink("mapAsyncUnordered", "function of foreachAsync", true, t -> Sink.foreachAsync(2, n -> t.now()))
                .sink("mapAsyncUnordered", "future of foreachAsync", false, t -> Sink.foreachAsync(2, n -> t.future()))
                .sink("collect", "accumulator", false, t -> Sink.collect(collector(t, true)))
                .sink("collect", "finisher", true, t -> Sink.collect(collector(t, false)))
                .sink("outputStream", "factory", true, t -> bytes(Sink.toOutputStream(() -> t.now())))
                .sink(
                        "outputStream",
                        "write",
                        false,
                        t -> bytes(Sink.toOutputStream(() -> new OutputStream() {
                            @Override
                            public void write(int value) {
                                t.now();
                            }
                        })))
                .sink(
                        "outputStream",
                        "close",
                        false,
                        t -> bytes(Sink.toOutputStream(() -> new OutputStream() {
                            @Override
                            public void write(int value) {}

                            @Override
                            public void close() {
                                t.now();
                            }
                        })));
    }

    private static Collector<Integer, List<Integer>, List<Integer>> collector(Trouble trouble, boolean inAccumulator) {
        return Collector.of(
                ArrayList::new,
                (all, n) -> {
                    all.add(n);
                    if (inAccumulator) {
                        trouble.now();
                    }
                },
                (one, other) -> one,
                all -> inAccumulator ? all : trouble.now());
    }

    private static Sink<Integer, CompletionStage<Long>> bytes(Sink<ByteBuffer, CompletionStage<Long>> sink) {
        return Flow.<Integer, ByteBuffer>of(n -> ByteBuffer.wrap(new byte[] {n.byteValue()}))
                .toMat(sink, Keep.right());
    }
}
