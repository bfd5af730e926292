package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.CursorLog;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CursorWriterTest {
    @Test
    void nothingIsGatheredForALogThatHasFailed(@TempDir Path folder) throws Exception {
        try (BrokerLog log = BrokerLog.open(LogConfig.defaults(folder), new DiskFiles())) {
            CursorLog cursor = cursor(log);
            CursorWriter writer = new CursorWriter("sub", cursor, cursor.recovered());
            writer.acked(List.of(new Position(1, 1)));
            writer.ackedPartly(new Position(1, 2));
            assertThat(writer.unlogged()).isEqualTo(2);
            writer.failed(new IOException("for the test"));
            writer.acked(List.of(new Position(1, 3)));
            writer.ackedPartly(new Position(1, 4));
            writer.ackedUpTo(new Position(1, 5));
            assertThat(writer.unlogged()).isZero();
            CompletableFuture<Void> receipt = new CompletableFuture<>();
            writer.receiptFor(receipt);
            writer.flush();
            assertThat(receipt).isCompletedExceptionally();
        }
    }

    private static CursorLog cursor(BrokerLog log) throws Exception {
        return log.openTopic("topic")
                .thenCompose(topic -> topic.openCursor("sub", Position.BEFORE_ALL))
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }
}
