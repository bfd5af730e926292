package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run of the entries 5, 6 and 7, of 4 bytes each, of which the last is not durable yet. */
final class TopicCacheTest {
    private final Slab slab = new Slab(4 * 1024);
    private final TopicCache cache = new TopicCache();
    private final LogParts parts = LogParts.create(LogConfig.defaults(Path.of("/data")), new SimulatedDisk(), 1);
    private final Ledger ledger = new Ledger(1, new TopicLog(parts, 1, "t"), 0, 7);
    private final CacheRun run = new CacheRun(ledger, 5, slab);

    @BeforeEach
    void fill() {
        cache.add(run);
        for (int entryId = 5; entryId <= 7; entryId++) {
            run.add(slab.filling().position());
            new Frame(1).writeEntry(slab.filling(), 1, 1, entryId, header(1), text("text"));
            if (entryId == 6) {
                run.publish();
            }
        }
    }

    @AfterEach
    void nobodyHoldsTheSlab() {
        assertThat(slab.bytes.refCnt()).isEqualTo(1);
        slab.bytes.release();
    }

    @Test
    @Behaviour("LOG-1")
    void durableEntriesAloneAreRead() {
        assertThat(collect(5, 10, 1_000)).containsExactly(5L, 6L);
        assertThat(collect(6, 10, 1_000)).containsExactly(6L);
        assertThat(collect(7, 10, 1_000)).isEmpty();
        assertThat(collect(4, 10, 1_000)).isEmpty();
        assertThat(cache.find(1, 7)).isNull();
        assertThat(cache.firstAtOrAfter(1, 0)).isEqualTo(5);
        assertThat(cache.firstAtOrAfter(1, 6)).isEqualTo(6);
        assertThat(cache.firstAtOrAfter(1, 7)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void asManyAreReadAsAskedForAndOneAtLeast() {
        assertThat(collect(5, 2, 8)).containsExactly(5L, 6L);
        assertThat(collect(5, 1, 8)).containsExactly(5L);
        assertThat(collect(5, 2, 7)).containsExactly(5L);
        assertThat(collect(5, 2, 1)).containsExactly(5L);
    }

    /** Those of a topic that was packed are dropped before their slab is freed. */
    @Test
    void aRunIsDroppedWithThoseBeforeItAndOneThatIsGoneChangesNothing() {
        CacheRun last = new CacheRun(ledger, 8, slab);
        cache.add(last);
        cache.removeUpTo(new CacheRun(ledger, 0, slab));
        assertThat(collect(5, 10, 1_000)).containsExactly(5L, 6L);
        cache.removeUpTo(run);
        assertThat(collect(5, 10, 1_000)).isEmpty();
        cache.removeUpTo(run);
        last.add(run.offset(0));
        last.publish();
        assertThat(cache.firstAtOrAfter(1, 0)).isEqualTo(8);
        cache.removeUpTo(last);
        assertThat(cache.firstAtOrAfter(1, 0)).isEqualTo(Long.MAX_VALUE);
    }

    private List<Long> collect(long entryId, int maxEntries, int maxBytes) {
        List<Entry> entries = new ArrayList<>();
        cache.collect(1, entryId, maxEntries, maxBytes, entries);
        entries.forEach(Entry::release);
        return entries.stream().map(entry -> entry.position().entryId()).toList();
    }
}
