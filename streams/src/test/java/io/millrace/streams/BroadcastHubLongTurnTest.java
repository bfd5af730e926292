package io.millrace.streams;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a hub takes in the middle of a turn that lasts for long. */
class BroadcastHubLongTurnTest {
    private final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void close() {
        runtime.close();
    }

    @Test
    @Behaviour("INT-10")
    void anElementOfATurnThatIsLongAlreadyReachesConsumersWhateverTheNextFunctionDoes() throws Exception {
        CompletableFuture<Integer> begin = new CompletableFuture<>();
        CountDownLatch arrived = new CountDownLatch(1);
        BroadcastHub<Integer> hub = Source.single(0)
                .concat(Source.never())
                .mapAsync(1, zero -> begin)
                .mapConcat(x -> List.of(1, 2))
                .map(x -> x == 1 ? slowly(x) : once(arrived, x))
                .runWith(BroadcastHub.sink(BroadcastHubSettings.defaults().withBufferSize(8)), runtime);
        await(hub.sourceWithRegistration(BroadcastConsumerSettings.defaults())
                .to(Sink.foreach(x -> arrived.countDown()))
                .run(runtime));
        Await.until(
                "all rest",
                () -> runtime.snapshot().streams().stream()
                        .flatMap(stream -> stream.islands().stream())
                        .allMatch(island -> island.state().equals("idle")));
        begin.complete(0);
        assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private static int slowly(int x) {
        LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
        return x;
    }

    private static int once(CountDownLatch arrived, int x) throws InterruptedException {
        assertThat(arrived.await(10, TimeUnit.SECONDS)).as("the element before").isTrue();
        return x;
    }
}
