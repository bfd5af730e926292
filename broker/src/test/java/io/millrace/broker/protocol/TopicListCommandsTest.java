package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandGetTopicsOfNamespace;
import io.millrace.wire.CommandWatchTopicList;
import io.millrace.wire.CommandWatchTopicListClose;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lists and watchers of a connection that takes output, or does not, as the test says. */
@Timeout(60)
class TopicListCommandsTest {
    private static final String PATTERN = "public/default/.*";
    private static final NamespaceName DEFAULT = NamespaceName.parse("public/default");

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private TopicsFixture topics;
    private Connection connection;
    private TopicListCommands lists;

    @BeforeEach
    void open(@TempDir Path folder) throws Exception {
        topics = new TopicsFixture(folder);
        connection = new Connection(
                channel,
                SessionLimits.DEFAULTS,
                new PublishMemory(1),
                ServerFixture.complaints(channel),
                topics.namespaces().memory());
        lists = new TopicListCommands(connection, topics.namespaces());
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        topics.close();
    }

    @Test
    @Behaviour({"NS-10", "PRO-6"})
    void listsOfWatchersWaitUntilTheClientHasTakenWhatWasWritten() throws Exception {
        watch(1, 11);
        assertThat(await(1)).containsExactly("WATCH_TOPIC_LIST_SUCCESS 11");
        takesOutput(false);
        watch(1, 12);
        watch(2, 13);
        watch(3, 14);
        afterTheNamespaces();
        assertThat(written()).as("lists for a client that takes nothing").isEmpty();
        watch(1, 15);
        assertThat(written()).as("one list of a watcher waits").containsExactly("ERROR 15");
        takesOutput(true);
        lists.writable();
        assertThat(await(3))
                .containsExactly(
                        "WATCH_TOPIC_LIST_SUCCESS 12", "WATCH_TOPIC_LIST_SUCCESS 13", "WATCH_TOPIC_LIST_SUCCESS 14");
        assertThat(connection.inFlight().isIdle()).isTrue();
    }

    @Test
    @Behaviour({"NS-10", "PRO-3"})
    void aWatcherThatIsClosedBeforeItIsListedIsAnsweredAndHoldsNothing() throws Exception {
        takesOutput(false);
        watch(1, 11);
        lists.close(new CommandWatchTopicListClose().setWatcherId(1).setRequestId(12));
        assertThat(written()).containsExactly("ERROR 11", "SUCCESS 12");
        takesOutput(true);
        lists.writable();
        afterTheNamespaces();
        assertThat(written()).isEmpty();
        assertThat(connection.inFlight().isIdle()).isTrue();
        assertThat(topics.namespaces().memory().heldBytes(MemoryBudget.Kind.CONSUMERS))
                .isZero();
    }

    @Test
    @Behaviour({"NS-8", "PRO-14"})
    void listsThatWaitForAClientAreBoundedByTheirNumberAndGivenBack() {
        takesOutput(false);
        int most = SessionLimits.DEFAULTS.maxHandles();
        for (int i = 0; i < most; i++) {
            list(i);
        }
        assertThat(written()).isEmpty();
        assertThat(topics.namespaces().memory().heldBytes(MemoryBudget.Kind.CONSUMERS))
                .isGreaterThan(most * 512L);
        list(most);
        assertThat(written()).containsExactly("ERROR " + most);
        lists.connectionLost();
        assertThat(topics.namespaces().memory().heldBytes(MemoryBudget.Kind.CONSUMERS))
                .isZero();
    }

    @Test
    @Behaviour({"NS-8", "PRO-14"})
    void listsThatWaitForAClientAreBoundedByMemory() throws Exception {
        MemoryBudget small = new MemoryBudget(1 << 20);
        connection = new Connection(
                channel, SessionLimits.DEFAULTS, new PublishMemory(1), ServerFixture.complaints(channel), small);
        lists = new TopicListCommands(connection, topics.namespaces());
        takesOutput(false);
        int asked = 0;
        List<String> refused = written();
        while (refused.isEmpty()) {
            assertThat(asked).isLessThan(SessionLimits.DEFAULTS.maxHandles());
            list(asked++);
            refused = written();
        }
        assertThat(asked).as("refused from this one on").isGreaterThan(200);
        assertThat(refused).containsExactly("ERROR " + (asked - 1));
        takesOutput(true);
        lists.writable();
        assertThat(await(asked - 1)).hasSize(asked - 1).allMatch(each -> each.startsWith("GET_TOPICS"));
        assertThat(small.heldBytes(MemoryBudget.Kind.CONSUMERS)).isZero();
    }

    private void list(long requestId) {
        lists.list(new CommandGetTopicsOfNamespace()
                .setNamespace(DEFAULT.toString())
                .setTopicsPattern(PATTERN)
                .setRequestId(requestId));
    }

    private void watch(long watcherId, long requestId) {
        lists.watch(new CommandWatchTopicList()
                .setNamespace(DEFAULT.toString())
                .setTopicsPattern(PATTERN)
                .setWatcherId(watcherId)
                .setRequestId(requestId));
    }

    private void takesOutput(boolean isWritable) {
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, isWritable);
    }

    /** Waits until the namespaces' stage has done all that it was asked, and runs what it has handed over. */
    private void afterTheNamespaces() throws Exception {
        topics.namespaces()
                .watched(DEFAULT, PATTERN)
                .handle((list, failure) -> true)
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        channel.runPendingTasks();
    }

    /** So many answers, with the requests that they are for. */
    private List<String> await(int count) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        List<String> answers = new ArrayList<>();
        while (answers.size() < count) {
            channel.runPendingTasks();
            answers.addAll(written());
            assertThat(System.nanoTime() - deadline).as("%s", answers).isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return answers;
    }

    private List<String> written() {
        channel.runPendingTasks();
        List<String> answers = new ArrayList<>();
        for (ByteBuf frames = channel.readOutbound(); frames != null; frames = channel.readOutbound()) {
            while (frames.isReadable()) {
                ByteBuf frame = frames.readSlice(frames.readInt());
                BaseCommand command = new BaseCommand();
                command.parseFrom(frame, frame.readInt());
                answers.add(command.getType() + " " + requestId(command));
            }
            frames.release();
        }
        return answers;
    }

    private static long requestId(BaseCommand command) {
        return switch (command.getType()) {
            case WATCH_TOPIC_LIST_SUCCESS -> command.getWatchTopicListSuccess().getRequestId();
            case GET_TOPICS_OF_NAMESPACE_RESPONSE ->
                command.getGetTopicsOfNamespaceResponse().getRequestId();
            case ERROR -> command.getError().getRequestId();
            case SUCCESS -> command.getSuccess().getRequestId();
            default -> throw new AssertionError(command.getType());
        };
    }
}
