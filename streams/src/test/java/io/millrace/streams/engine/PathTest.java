package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PathTest extends EngineTest {
    @TempDir
    Path folder;

    @Test
    void fileIsReadInChunksAndWrittenAgain() throws Exception {
        byte[] bytes = new byte[100_003];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        Path from = Files.write(folder.resolve("from"), bytes);
        Path to = Files.writeString(folder.resolve("to"), "something longer before");
        assertThat(await(Source.fromPath(from, 1000).runWith(Sink.toPath(to), runtime)))
                .isEqualTo(100_003);
        assertThat(Files.readAllBytes(to)).isEqualTo(bytes);
        List<Integer> sizes =
                await(Source.fromPath(from, 60_000).map(ByteBuffer::remaining).runWith(Sink.seq(), runtime));
        assertThat(sizes).containsExactly(60_000, 40_003);
        await(Source.single(ByteBuffer.wrap(new byte[] {1, 2}))
                .runWith(Sink.toPath(to, StandardOpenOption.APPEND, StandardOpenOption.WRITE), runtime));
        assertThat(Files.size(to)).isEqualTo(100_005);
    }

    @Test
    void fileThatIsNotThereFailsTheStreamAndFilesAreClosedEarly() throws Exception {
        Path missing = folder.resolve("missing");
        assertThat(awaitFailure(Source.fromPath(missing).runWith(Sink.ignore(), runtime)))
                .isInstanceOf(NoSuchFileException.class);
        Path big = Files.write(folder.resolve("big"), new byte[50_000]);
        assertThat(await(Source.fromPath(big).take(1).runWith(Sink.seq(), runtime)))
                .hasSize(1);
        assertThat(awaitFailure(Source.<ByteBuffer>failed(new IOException("mine"))
                        .runWith(Sink.toPath(folder.resolve("out")), runtime)))
                .hasMessage("mine");
    }

    @Test
    void stagesThatBlockDoNotHoldUpTheOthers() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(8);
        for (int i = 0; i < 8; i++) {
            Source.single(i)
                    .map(x -> {
                        blocked.countDown();
                        return release.await(20, TimeUnit.SECONDS);
                    })
                    .withAttributes(Attributes.blocking())
                    .runWith(Sink.ignore(), runtime);
        }
        assertThat(blocked.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(await(Source.range(0, 10).runWith(Sink.seq(), runtime))).hasSize(10);
        release.countDown();
    }
}
