package io.millrace.broker.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.broker.log.LogRetention;
import io.millrace.broker.log.LogRetention.Kept;
import io.millrace.broker.topic.TopicName;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RetentionsTest {
    private static final Map<String, String> HOUR = Map.of(Retentions.KEY, "60,-1");
    private static final TopicName ORDERS = TopicName.parse("acme/dev/orders");

    private static final int RECOVERED = 2_000;
    private static final long A_FEW_BYTES = 200;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A copy for each that is recovered takes time and memory by the square of their number. */
    @Test
    void theLogIsToldOnceAllIsKnownAndThenOfEachChange() {
        Retentions retentions = new Retentions();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < RECOVERED; i++) {
            retentions.put(new NamespaceName("acme", "dev" + i), HOUR);
        }
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(RECOVERED * 10_000L);
        List<LogRetention> told = new ArrayList<>();
        retentions.tell(told::add);
        retentions.put(NamespaceName.of(ORDERS), HOUR);
        retentions.put(NamespaceName.of(ORDERS), HOUR);
        retentions.put(NamespaceName.of(ORDERS), Map.of());
        assertThat(told)
                .extracting(copy -> copy.of(ORDERS.full()))
                .containsExactly(Kept.NOTHING, Retentions.parse("60,-1"), Kept.NOTHING);
        assertThat(told)
                .noneMatch(copy -> copy.of("persistent://acme/dev7/orders").equals(Kept.NOTHING));
    }

    /** Over HTTP, too, the size may be any number of 64 bits. */
    @Test
    void aSizeThatIsTooLargeForBytesIsTheLargest() {
        assertThat(Retentions.parse("60," + (1L << 44)).bytes()).isEqualTo(Long.MAX_VALUE / (1 << 20) * (1 << 20));
        assertThat(Retentions.parse("60," + Long.MAX_VALUE).bytes()).isPositive();
    }

    @Test
    void theLogIsToldOfPartitionsWhatTheirTopicKeeps() {
        Retentions retentions = new Retentions();
        retentions.put(ORDERS, HOUR);
        List<LogRetention> told = new ArrayList<>();
        retentions.tell(told::add);
        Kept hour = Retentions.parse("60,-1");
        assertThat(told.get(0).of(ORDERS.full())).isEqualTo(hour);
        assertThat(told.get(0).of(ORDERS.partition(11).full())).isEqualTo(hour);
        assertThat(told.get(0).of(ORDERS.full() + "s")).isEqualTo(Kept.NOTHING);
        assertThat(retentions.of(ORDERS.partition(11))).isEqualTo(hour);
    }

    /** The log has many, and asks for each of them every few minutes. */
    @Test
    void toFindOutThatNothingAppliesToATopicTakesNoParsing() {
        Retentions retentions = new Retentions();
        retentions.put(new NamespaceName("other", "one"), HOUR);
        retentions.put(TopicName.parse("other/two/orders"), HOUR);
        List<LogRetention> told = new ArrayList<>();
        retentions.tell(told::add);
        Upkeep.Where where = new Upkeep.Where(
                List.of(new NamespaceName("other", "one")), List.of(TopicName.parse("other/two/orders")));
        assertThat(where.holds()).accepts("persistent://other/one/a", "persistent://other/two/orders-partition-3");
        assertThat(bytesOf(name -> !told.get(0).of(name).equals(Kept.NOTHING))).isLessThan(A_FEW_BYTES);
        assertThat(bytesOf(where.holds())).isLessThan(A_FEW_BYTES);
    }

    /** What it takes to ask for one name, the mean of many. */
    private static long bytesOf(Predicate<String> question) {
        List<String> names = IntStream.range(0, RECOVERED)
                .mapToObj(i -> "persistent://acme/dev" + i + "/orders")
                .toList();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (String name : names) {
            if (question.test(name)) {
                throw new AssertionError(name);
            }
        }
        return (THREADS.getCurrentThreadAllocatedBytes() - before) / RECOVERED;
    }

    @Test
    void thatOfADeletedNamespaceGoesWithIt(@TempDir Path folder) throws Exception {
        try (OwnedNames names = new OwnedNames(folder)) {
            NamespaceName dev = NamespaceName.of(ORDERS);
            names.ask(owned -> owned.namespaces().putTenant(dev.tenant(), Map.of(), true));
            names.ask(owned -> owned.namespaces().createNamespace(dev, HOUR));
            boolean isKept = !names.<Boolean>look(owned -> names.table.retentions.isEmpty());
            assertThat(isKept).isTrue();
            names.ask(owned -> owned.topics().deletions().delete(dev));
            boolean isGone = names.look(owned -> names.table.retentions.isEmpty());
            assertThat(isGone).isTrue();
        }
    }
}
