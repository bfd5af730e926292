package io.millrace.broker.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which topics that store nothing are there. */
@Timeout(60)
class LiveNamesTest {
    private static final TopicName WHOLE = TopicName.parse("non-persistent://public/default/parts");

    @Test
    @Behaviour("NS-11")
    void aPartitionThatIsUnloadedGoesThoughAnotherIsBeingOpened(@TempDir Path folder) throws Exception {
        try (OwnedNames names = new OwnedNames(folder)) {
            names.ask(owned -> owned.topics().create(WHOLE, 2, Map.of()));
            names.ask(owned -> owned.topics().open(WHOLE.partition(0), true));
            names.ask(owned -> {
                var opening = owned.topics().open(WHOLE.partition(1), true);
                owned.topics().unloaded(WHOLE.partition(0));
                return opening;
            });
            List<String> live = names.look(owned -> owned.topics().live(NamespaceName.DEFAULT));
            assertThat(live).containsExactly(WHOLE.partition(1).full());
        }
    }

    @Test
    @Behaviour("NS-11")
    void oneThatIsUnloadedStaysIfItIsBeingOpenedAgain(@TempDir Path folder) throws Exception {
        try (OwnedNames names = new OwnedNames(folder)) {
            names.ask(owned -> owned.topics().create(WHOLE, 2, Map.of()));
            names.ask(owned -> {
                var opening = owned.topics().open(WHOLE.partition(0), true);
                owned.topics().unloaded(WHOLE.partition(0));
                return opening;
            });
            List<String> live = names.look(owned -> owned.topics().live(NamespaceName.DEFAULT));
            assertThat(live).containsExactly(WHOLE.partition(0).full());
        }
    }
}
