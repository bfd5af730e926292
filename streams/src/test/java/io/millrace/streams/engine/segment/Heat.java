package io.millrace.streams.engine.segment;

import io.millrace.streams.Plans;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.engine.plan.Plan;
import io.millrace.streams.engine.plan.PlannedStages;
import java.util.Arrays;

/** A graph whose segments are made hot without the elements that it takes, for tests that compare its tiers. */
public final class Heat {
    private final Plan plan;

    private Heat(Plan plan) {
        this.plan = plan;
    }

    public static Heat of(RunnableGraph<?> graph) {
        return new Heat(Plans.compile(graph));
    }

    /** Gives each segment its specialised body now; that for elements made within it, or for those that were there before. */
    public void specialise(boolean takesNewObjects) {
        NewObjects seen = new NewObjects(takesNewObjects, true);
        for (Object stage : PlannedStages.of(plan)) {
            if (stage instanceof SegmentStage segmentStage) {
                become(segmentStage.segment(), specialised(segmentStage.segment(), seen));
            }
        }
    }

    /** Gives each segment the body now that it shares with those whose functions have captured something else. */
    public void specialiseByKinds() {
        for (Object stage : PlannedStages.of(plan)) {
            if (stage instanceof SegmentStage segmentStage) {
                Step<Object>[] steps = segmentStage.segment().steps();
                become(
                        segmentStage.segment(),
                        Arrays.stream(steps).map(StepKind::of).toArray(StepKind[]::new));
            }
        }
    }

    /** Its line, in the form for these objects. */
    static HotLine specialised(Segment segment, NewObjects seen) {
        HotLine line = segment.line();
        return new HotLine(
                line.expansion(),
                Arrays.stream(line.steps()).map(step -> step.specialised(seen)).toArray(Step<?>[]::new));
    }

    private static void become(Segment segment, Object constants) {
        SegmentBody body = Specialiser.OF_PROCESS.define(constants);
        if (body != null) {
            segment.become(body.of(HotLine.filled(segment.steps())));
        }
    }

    /** Counts so many elements for each segment that it is sampled or specialised next. */
    public void warm() {
        for (Object stage : PlannedStages.of(plan)) {
            if (stage instanceof SegmentStage segmentStage) {
                segmentStage.segment().warm(Segment.HOT);
            }
        }
    }

    public Object run(StreamRuntime runtime) {
        return Plans.run(plan, runtime);
    }
}
