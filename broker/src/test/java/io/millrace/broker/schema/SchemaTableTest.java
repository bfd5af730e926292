package io.millrace.broker.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogChange;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.TopicName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaTableTest {
    private static final TopicName TOPIC = TopicName.parse("orders");
    private static final int VERSIONS = 100;
    private static final int VERSION_BYTES = 200;
    private static final long HEAP_BYTES = 100_000_000;

    @TempDir
    Path folder;

    /** One whose limit falls by what is kept. */
    private static MemoryBudget budget() {
        MemoryBudget memory = new MemoryBudget(HEAP_BYTES);
        memory.stored(HEAP_BYTES / 2);
        return memory;
    }

    private static void make(BrokerLog log, LogChange change, SchemaTable.Pending pending) throws Exception {
        log.change(change).toCompletableFuture().get(20, TimeUnit.SECONDS);
        pending.done();
    }

    @Test
    void whatIsKnownOfVersionsCountsInTheHeap() throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(1 << 20, 2);
        MemoryBudget memory = budget();
        long before = memory.limitBytes();
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            SchemaTable table = new SchemaTable(log, memory, log.values());
            for (int i = 0; i < VERSIONS; i++) {
                byte[] data = ("schema " + i).getBytes(StandardCharsets.UTF_8);
                SchemaContent content = new SchemaContent(SchemaType.STRING, data, Map.of());
                LogChange change = new LogChange();
                make(log, change, table.change(change, TOPIC, table.of(TOPIC).with(content, 1), content));
            }
            assertThat(before - memory.limitBytes()).isGreaterThan(VERSIONS * VERSION_BYTES);
        }
        MemoryBudget recovered = budget();
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            SchemaTable table = new SchemaTable(log, recovered, log.values());
            assertThat(recovered.limitBytes()).isEqualTo(memory.limitBytes());
            LogChange change = new LogChange();
            make(log, change, Objects.requireNonNull(table.removal(change, TOPIC)));
            assertThat(recovered.limitBytes()).isEqualTo(before);
        }
    }
}
