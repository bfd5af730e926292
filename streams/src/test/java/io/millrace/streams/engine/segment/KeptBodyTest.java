package io.millrace.streams.engine.segment;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.Plans;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.engine.EngineTest;
import io.millrace.streams.engine.plan.Plan;
import io.millrace.streams.engine.plan.PlannedStages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looking at some elements costs a segment none of the bodies that it has or gets meanwhile. */
final class KeptBodyTest extends EngineTest {
    private static final int ELEMENTS = 2_000;

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicBoolean isToBlock = new AtomicBoolean();
    private final Plan plan = Plans.compile(Source.range(0, ELEMENTS)
            .map(this::block)
            .filter(x -> x % 2 == 0)
            .toMat(Sink.<Integer>count(), Keep.right()));
    private final Segment segment = ((SegmentStage) PlannedStages.of(plan).get(0)).segment();

    /** Classes of other tests count as live until they are collected. */
    @BeforeEach
    void makeRoom() {
        System.gc();
    }

    private int block(int x) throws InterruptedException {
        if (isToBlock.getAndSet(false)) {
            entered.countDown();
            release.await();
        }
        return x;
    }

    private CompletionStage<?> run() {
        return (CompletionStage<?>) Plans.run(plan, runtime);
    }

    private boolean isHot() {
        return segment.body().getClass().isHidden();
    }

    /** Has it share a class with those whose functions have captured something else. */
    private void shareAClass() {
        if (!isHot()) { // unless that of the test before is there
            segment.warm(Segment.HOT);
        }
        Await.until("it has a class with others", this::isHot);
    }

    @Test
    void aRunThatStillLooksAtElementsLeavesTheBodyThatHasComeMeanwhile() throws Exception {
        shareAClass();
        segment.warm(Segment.HOT);
        assertThat(segment.body()).isInstanceOf(SegmentProfiler.class);
        isToBlock.set(true);
        CompletionStage<?> first = run();
        Await.await(entered, "a batch has begun");
        await(run());
        Await.until("it has a class of its own", this::isHot);
        await(run());
        release.countDown();
        assertThat(await(first)).isEqualTo(ELEMENTS / 2L);
        assertThat(segment.body().getClass().isHidden()).isTrue();
    }

    @Test
    void whereNoMoreClassesMayLiveItKeepsTheOneThatItShares() throws Exception {
        shareAClass();
        SegmentBody shared = segment.body();
        List<SegmentBody> live = new ArrayList<>();
        SpecialisationTest.fill(live, segment.line());
        segment.warm(Segment.HOT);
        assertThat(segment.body()).isInstanceOf(SegmentProfiler.class);
        assertThat(await(run())).isEqualTo(ELEMENTS / 2L);
        assertThat(segment.body()).isSameAs(shared);
        assertThat(live).as("what kept them alive until here").isNotEmpty();
    }
}
