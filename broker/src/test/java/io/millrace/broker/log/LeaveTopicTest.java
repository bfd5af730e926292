package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic that was left keeps nothing of who has used it. */
class LeaveTopicTest {
    private static final int COLLECTIONS = 500;
    private static final int OTHERS = 10;

    @TempDir
    Path folder;

    @Test
    void listenersOfATopicThatWasLeftAreForgottenAndItOpensAgain() throws Exception {
        try (BrokerLog log = BrokerLog.open(LogConfig.defaults(folder), new DiskFiles())) {
            List<WeakReference<?>> listeners = use(log);
            for (int i = 0; i < OTHERS; i++) {
                await(log.openTopic("other" + i)); // the journal keeps what it has written last
            }
            for (int i = 0; i < COLLECTIONS && listeners.stream().anyMatch(kept -> kept.get() != null); i++) {
                System.gc();
            }
            assertThat(listeners).extracting(WeakReference::get).containsOnlyNulls();
            TopicLog again = await(log.openTopic("orders"));
            assertThat(LogFixture.texts(again)).containsExactly("one");
            CursorLog cursor = await(again.openCursor("audit", Position.BEFORE_ALL));
            assertThat(cursor.recovered().markDelete()).isEqualTo(again.lastDurable());
        }
    }

    private static List<WeakReference<?>> use(BrokerLog log) throws Exception {
        TopicLog topic = await(log.openTopic("orders"));
        LogFixture.Receipts receipts = new LogFixture.Receipts();
        topic.listener(receipts);
        receipts.await(topic.append(header(1), text("one")));
        CursorLog cursor = await(topic.openCursor("audit", Position.BEFORE_ALL));
        CountDownLatch upTo = new CountDownLatch(1);
        CursorLogListener acked = new CursorLogListener() {
            @Override
            public void durable(long upToNumber) {
                upTo.countDown();
            }

            @Override
            public void failed(Throwable cause) {
                throw new AssertionError(cause);
            }
        };
        cursor.listener(acked);
        cursor.append(new CursorDelta.AckUpTo(topic.lastDurable()));
        assertThat(upTo.await(10, TimeUnit.SECONDS)).isTrue();
        await(log.leaveTopic(topic));
        return List.of(new WeakReference<>(receipts), new WeakReference<>(acked));
    }
}
