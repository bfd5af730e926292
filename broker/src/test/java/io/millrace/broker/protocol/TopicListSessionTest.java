package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.memory.MemoryBudget;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandGetTopicsOfNamespace;
import io.millrace.wire.CommandGetTopicsOfNamespaceResponse;
import io.millrace.wire.CommandWatchTopicListSuccess;
import io.millrace.wire.CommandWatchTopicUpdate;
import io.millrace.wire.ServerError;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TopicListSessionTest {
    private static final String DEFAULT = "public/default";

    @TempDir
    Path folder;

    private ServerFixture broker;
    private RawClient client;

    @BeforeEach
    void start() throws Exception {
        broker = new ServerFixture(folder);
        client = RawClient.connect(broker.port());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        broker.close();
    }

    @Test
    @Behaviour("NS-8")
    void topicsAreListedByPatternAndOnlyIfTheyHaveChanged() throws Exception {
        client.producer(1, "b");
        client.producer(2, "a");
        client.producer(3, "other");
        var all = list(l -> {});
        assertThat(all.getTopicsList()).containsExactly(full("a"), full("b"), full("other"));
        assertThat(all.isFiltered()).isFalse();
        assertThat(all.isChanged()).isTrue();
        var some = list(l -> l.setTopicsPattern("persistent://public/default/[ab]"));
        assertThat(some.getTopicsList()).containsExactly(full("a"), full("b"));
        assertThat(some.isFiltered()).isTrue();
        String hash = some.getTopicsHash();
        var same = list(l -> l.setTopicsPattern("public/default/[ab]").setTopicsHash(hash));
        assertThat(same.getTopicsCount()).isZero();
        assertThat(same.isChanged()).isFalse();
        assertThat(same.getTopicsHash()).isEqualTo(hash);
        assertThat(list(l -> l.setMode(CommandGetTopicsOfNamespace.Mode.NON_PERSISTENT))
                        .getTopicsCount())
                .isZero();
        assertThat(list(l -> l.setNamespace("no/such")).getTopicsCount()).isZero();
    }

    @Test
    @Behaviour("NS-9")
    void aPatternThatIsNotMatchedHereFiltersNothingAndSaysSo() throws Exception {
        client.producer(1, "a");
        var all = list(l -> l.setTopicsPattern("(a{500}){500}"));
        assertThat(all.getTopicsList()).containsExactly(full("a"));
        assertThat(all.isFiltered()).isFalse();
        var refusal = watch(1, "(a{500}){500}", BaseCommand.Type.ERROR).getError();
        assertThat(refusal.getError()).isEqualTo(ServerError.NotAllowedError);
        assertThat(refusal.getRequestId()).isEqualTo(8);
        assertThat(watch(1, "foo://x", BaseCommand.Type.ERROR).getError().getError())
                .isEqualTo(ServerError.InvalidTopicName);
        assertNothingIsHeldBeside(1);
        client.expectAlive();
    }

    /** As with Pulsar the client matches the names itself then. */
    @Test
    @Behaviour("NS-9")
    void aPatternThatIsTooLongFiltersNothingAndSaysSo() throws Exception {
        client.producer(1, "a");
        for (int length : new int[] {1_025, 100_000}) {
            var all = list(l -> l.setTopicsPattern("x".repeat(length)));
            assertThat(all.getTopicsList()).containsExactly(full("a"));
            assertThat(all.isFiltered()).isFalse();
        }
        assertThat(watch(1, "x".repeat(1_025), BaseCommand.Type.ERROR)
                        .getError()
                        .getError())
                .isEqualTo(ServerError.NotAllowedError);
    }

    @Test
    void aNamespaceThatIsNoneIsRefusedAndTheConnectionLives() throws Exception {
        for (String namespace : List.of("bad", "a/b/c", "a/b c", "/", "")) {
            send(l -> l.setNamespace(namespace));
            assertThat(client.expect(BaseCommand.Type.ERROR).getError().getError())
                    .isEqualTo(ServerError.InvalidTopicName);
        }
        client.expectAlive();
    }

    @Test
    @Behaviour("NS-10")
    void aWatcherHearsOfTopicsThatAreMadeAndDeleted() throws Exception {
        client.producer(1, "w-there");
        CommandWatchTopicListSuccess begun = watched(7, "public/default/w-.*");
        assertThat(begun.getTopicsList()).containsExactly(full("w-there"));
        assertThat(begun.getWatcherId()).isEqualTo(7);
        try (RawClient other = RawClient.connect(broker.port())) {
            long asked = System.nanoTime();
            other.producer(1, "w-new");
            other.producer(2, "not-meant");
            CommandWatchTopicUpdate update = update();
            assertThat(System.nanoTime() - asked).isLessThan(TimeUnit.SECONDS.toNanos(30));
            assertThat(update.getWatcherId()).isEqualTo(7);
            assertThat(update.getNewTopicsList()).containsExactly(full("w-new"));
            assertThat(update.getTopicsHash()).isEqualTo(watched(7, "public/default/w-.*", "x"));
        }
        broker.delete("w-new");
        assertThat(update().getDeletedTopicsList()).containsExactly(full("w-new"));
        broker.partitioned("w-parts", 2);
        CommandWatchTopicUpdate update = update();
        List<String> made = new ArrayList<>(update.getNewTopicsList());
        while (made.size() < 2) { // told together if the broker hears of both in time
            update = update();
            made.addAll(update.getNewTopicsList());
        }
        assertThat(made).containsExactlyInAnyOrder(full("w-parts-partition-0"), full("w-parts-partition-1"));
        CommandWatchTopicListSuccess again = watched(7, "ignored");
        assertThat(again.getTopicsHash()).isEqualTo(update.getTopicsHash());
        assertThat(again.getTopicsCount()).isEqualTo(3);
    }

    @Test
    @Behaviour("NS-10")
    void whoLeavesHearsNothingMoreAndHoldsNothing() throws Exception {
        client.producer(1, "w-1");
        watched(7, "public/default/w-.*");
        watched(8, "public/default/.*");
        for (int i = 0; i < 2; i++) {
            client.send(
                    BaseCommand.Type.WATCH_TOPIC_LIST_CLOSE,
                    c -> c.setWatchTopicListClose().setRequestId(9).setWatcherId(7));
            assertThat(client.expect(BaseCommand.Type.SUCCESS).getSuccess().getRequestId())
                    .isEqualTo(9);
        }
        client.producer(2, "w-2");
        assertThat(update().getWatcherId()).isEqualTo(8);
        client.close();
        broker.awaitHeld(MemoryBudget.Kind.CONSUMERS, 0);
        client = RawClient.connect(broker.port());
        client.producer(3, "w-3");
        client.expectAlive();
    }

    @Test
    @Behaviour({"NS-10", "PRO-6"})
    void aWatcherThatTakesNothingIsCutOffAndHarmsNobody() throws Exception {
        try (RawClient stuck = RawClient.connectNarrow(broker.port())) {
            stuck.send(
                    BaseCommand.Type.WATCH_TOPIC_LIST,
                    c -> c.setWatchTopicList()
                            .setNamespace(DEFAULT)
                            .setTopicsPattern("public/default/.*")
                            .setWatcherId(1)
                            .setRequestId(1));
            stuck.expect(BaseCommand.Type.WATCH_TOPIC_LIST_SUCCESS);
            for (int i = 0; i < 4; i++) {
                broker.partitioned("x".repeat(900) + i, 5_000);
            }
            broker.awaitHeld(MemoryBudget.Kind.CONSUMERS, 0);
            client.expectAlive();
        }
    }

    @Test
    @Behaviour("NS-8")
    void listsComeOneAfterTheOtherHoweverManyAreAskedForAtOnce() throws Exception {
        broker.partitioned("many", 2_000);
        for (int i = 0; i < 300; i++) {
            send(l -> {});
        }
        for (int i = 0; i < 300; i++) {
            assertThat(client.expect(BaseCommand.Type.GET_TOPICS_OF_NAMESPACE_RESPONSE)
                            .getGetTopicsOfNamespaceResponse()
                            .getTopicsCount())
                    .isEqualTo(2_000);
        }
        client.expectAlive();
        broker.awaitHeld(MemoryBudget.Kind.CONSUMERS, 0);
    }

    @Test
    @Behaviour("NS-8")
    void aListThatNoFrameHoldsIsRefusedAndAPatternHelps() throws Exception {
        for (int i = 0; i < 2; i++) {
            broker.partitioned("x".repeat(900) + i, 4_000);
        }
        send(l -> {});
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                .contains("ask by a pattern");
        assertThat(list(l -> l.setTopicsPattern("public/default/x*1")).getTopicsCount())
                .isEqualTo(4_000);
    }

    private void assertNothingIsHeldBeside(int producers) {
        assertThat(producers).isPositive();
        broker.awaitHeld(MemoryBudget.Kind.CONSUMERS, 0);
    }

    private void send(Consumer<CommandGetTopicsOfNamespace> fill) throws Exception {
        client.send(
                BaseCommand.Type.GET_TOPICS_OF_NAMESPACE,
                c -> fill.accept(
                        c.setGetTopicsOfNamespace().setNamespace(DEFAULT).setRequestId(5)));
    }

    private CommandGetTopicsOfNamespaceResponse list(Consumer<CommandGetTopicsOfNamespace> fill) throws Exception {
        send(fill);
        return client.expect(BaseCommand.Type.GET_TOPICS_OF_NAMESPACE_RESPONSE).getGetTopicsOfNamespaceResponse();
    }

    private BaseCommand watch(long watcherId, String pattern, BaseCommand.Type answer) throws Exception {
        client.send(
                BaseCommand.Type.WATCH_TOPIC_LIST,
                c -> c.setWatchTopicList()
                        .setNamespace(DEFAULT)
                        .setTopicsPattern(pattern)
                        .setWatcherId(watcherId)
                        .setRequestId(8));
        return client.expect(answer);
    }

    private CommandWatchTopicListSuccess watched(long watcherId, String pattern) throws Exception {
        return watch(watcherId, pattern, BaseCommand.Type.WATCH_TOPIC_LIST_SUCCESS)
                .getWatchTopicListSuccess();
    }

    /** The hash that the broker has now. */
    private String watched(long watcherId, String pattern, String unused) throws Exception {
        return watched(watcherId, pattern).getTopicsHash();
    }

    private CommandWatchTopicUpdate update() throws Exception {
        List<BaseCommand.Type> others = new ArrayList<>();
        BaseCommand command = client.receive();
        while (command.getType() != BaseCommand.Type.WATCH_TOPIC_UPDATE) {
            others.add(command.getType());
            assertThat(others).hasSizeLessThan(10);
            command = client.receive();
        }
        return command.getWatchTopicUpdate();
    }

    private static String full(String topic) {
        return "persistent://public/default/" + topic;
    }
}
