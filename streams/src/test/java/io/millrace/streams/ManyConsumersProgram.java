package io.millrace.streams;

import io.millrace.streams.hub.BroadcastHubSettings;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Attaches as many consumers to one hub as its argument says and checks that each gets every element. */
final class ManyConsumersProgram {
    private static final int ELEMENTS = 1000;
    private static final long SUM = (ELEMENTS - 1L) * ELEMENTS / 2;

    private ManyConsumersProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        int consumers = Integer.parseInt(arguments[0]);
        AtomicInteger right = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(consumers);
        try (StreamRuntime runtime = StreamRuntime.create()) {
            BroadcastHubSettings settings =
                    BroadcastHubSettings.defaults().withBufferSize(64).withStartAfterConsumers(consumers);
            BroadcastHub<Integer> hub = Source.range(0, ELEMENTS).runWith(BroadcastHub.sink(settings), runtime);
            RunnableGraph<CompletionStage<Long>> consumer =
                    hub.source().toMat(Sink.fold(0L, (sum, element) -> sum + element), Keep.right());
            for (int i = 0; i < consumers; i++) {
                consumer.run(runtime).whenComplete((sum, failure) -> {
                    if (failure == null && sum == SUM) {
                        right.incrementAndGet();
                    }
                    done.countDown();
                });
            }
            boolean isDone = done.await(5, TimeUnit.MINUTES);
            System.exit(isDone && right.get() == consumers ? 0 : 1);
        }
    }
}
