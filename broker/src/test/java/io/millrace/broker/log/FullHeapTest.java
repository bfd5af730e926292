package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.broker.memory.ToldErrors;
import io.millrace.testkit.Behaviour;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each thread of the log tells that the heap is full: its own failure is not the end of the process. */
@Timeout(60)
final class FullHeapTest {
    private final OutOfMemoryError full = new OutOfMemoryError("Java heap space");

    private volatile String failing = "none";

    @TempDir
    Path folder;

    @Test
    @Behaviour("PRO-13")
    void theJournalTells() throws Exception {
        try (ToldErrors errors = new ToldErrors();
                BrokerLog log = open()) {
            TopicLog topic = LogFixture.await(log.openTopic("a"));
            topic.listener(new Receipts());
            failing = "write journal";
            topic.append(header(1), text("x"));
            awaitTold(errors);
        }
    }

    @Test
    @Behaviour("PRO-13")
    void theLedgersTell() throws Exception {
        try (ToldErrors errors = new ToldErrors();
                BrokerLog log = open()) {
            TopicLog topic = LogFixture.await(log.openTopic("a"));
            topic.listener(new Receipts());
            failing = "write ledgers";
            String payload = "x".repeat(10_000);
            try {
                for (int i = 0; i < 1_000 && errors.told().isEmpty(); i++) {
                    topic.append(header(i), text(payload));
                }
            } catch (LogUnavailableException e) {
                assertThat(log.state()).as(e.getMessage()).isEqualTo(LogState.FAILED);
            }
            awaitTold(errors);
        }
    }

    @Test
    @Behaviour("PRO-13")
    void theReadersTell() throws Exception {
        try (ToldErrors errors = new ToldErrors();
                BrokerLog log = open()) {
            TopicLog topic = LogFixture.await(log.openTopic("a"));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            for (int i = 0; i < 1_000; i++) {
                receipts.await(topic.append(header(i), text("y".repeat(1_000))));
            }
            LogFixture.settle(log);
            failing = "read ledgers";
            Position first = new Position(topic.table().last().id, 0);
            assertThat(topic.read(List.of(first)).toCompletableFuture()).failsWithin(20, TimeUnit.SECONDS);
            awaitTold(errors);
        }
    }

    private BrokerLog open() throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(256 * 1024, 2).withMemory(64 * 1024, 1 << 20);
        return BrokerLog.open(config, proxy(Disk.class, new DiskFiles(), ""));
    }

    private void awaitTold(ToldErrors errors) {
        while (errors.told().isEmpty()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(errors.told()).contains(full);
    }

    /** The same disk, or file of that path, but that calls which are to fail do. */
    private <T> T proxy(Class<T> type, T real, String path) {
        InvocationHandler handler = (self, method, arguments) -> {
            if (failing.startsWith(method.getName()) && path.contains(failing.substring(failing.indexOf(' ') + 1))) {
                throw full;
            }
            try {
                Object answer = method.invoke(real, arguments);
                return answer instanceof DiskFile file ? proxy(DiskFile.class, file, arguments[0].toString()) : answer;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
