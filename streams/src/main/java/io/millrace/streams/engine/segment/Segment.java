package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.engine.failure.Unchecked;
import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.island.Boundary;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Supervision.Directive;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Adjacent synchronous operators that run as one stage: perhaps a head that makes elements (an origin, or an expansion
 * of what comes in), steps, and perhaps a terminal as the last of them. Shared by all runs of a plan.
 *
 * <p>Hotness is counted over all segments of one shape ({@link ShapeTable}); a hot one gets a body of its own from {@link Specialiser}.
 *
 * <p><b>Threads</b>: any island.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code body}: written once more when a better one is there; either will do. One that looks at elements is replaced by compare-and-set, as a better
 * one may have come. {@code shape}, {@code isSpecialised}: without
 * care, as what is missed is seen the next time.<br>
 * <b>Proved by</b>: SpecialisationTest, KeptBodyTest.
 */
public final class Segment {
    private static final VarHandle BODY;

    static {
        try {
            BODY = MethodHandles.lookup().findVarHandle(Segment.class, "body", SegmentBody.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** So many operators at most, so that they fit the template with a boundary behind them. */
    public static final int MAX_STEPS = SegmentTemplate.STEP_COUNT - 1;

    /** After so many elements it is specialised. */
    static final long HOT = 100_000;

    private final SynchronousStage<?, ?>[] operators;
    private final Attributes[] attributes;
    private final boolean afterBoundary;
    private final boolean beforeBoundary;
    private final @Nullable Origin origin;
    private final @Nullable Expansion<Object> expansion;
    private final Step<Object>[] steps;
    private final HotLine line;
    private final boolean terminal;
    private final boolean stateful;
    private final int preludeEnd;
    private final int failureEnd;
    private final boolean madeAtHead;
    private final int shapeHash;
    private long passedHere;
    private volatile SegmentBody body;
    private @Nullable SegmentShape shape;
    private boolean isSpecialised;

    /**
     * @param operators in order
     * @param attributes of each operator
     * @param afterBoundary whether elements come over an asynchronous boundary
     * @param beforeBoundary whether elements go over an asynchronous boundary
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public Segment(
            SynchronousStage<?, ?>[] operators,
            Attributes[] attributes,
            boolean afterBoundary,
            boolean beforeBoundary) {
        this.operators = operators;
        this.attributes = attributes;
        this.afterBoundary = afterBoundary;
        this.beforeBoundary = beforeBoundary;
        SynchronousStage<?, ?> first = operators[0];
        origin = first instanceof OriginStage<?> head ? head.origin() : null;
        expansion = first instanceof ExpansionStage<?, ?> head ? (Expansion<Object>) head.expansion() : null;
        int headCount = headCount();
        int own = operators.length - headCount;
        steps = new Step[beforeBoundary ? own + 1 : own];
        boolean anyState = false;
        int lastPrelude = -1;
        int lastSeeing = -1;
        for (int i = 0; i < steps.length; i++) {
            steps[i] = i < own ? (Step<Object>) stepOf(operators[headCount + i]) : new ToBoundary();
            anyState |= steps[i].isStateful();
            lastPrelude = steps[i].hasPrelude() ? i : lastPrelude;
            lastSeeing = steps[i].seesFailures() ? i : lastSeeing;
        }
        terminal = operators[operators.length - 1] instanceof TerminalStage;
        stateful = anyState || beforeBoundary;
        preludeEnd = lastPrelude + 1;
        failureEnd = lastSeeing + 1;
        madeAtHead = origin != null && origin.makesElements();
        body = withOwnLoop(new SegmentChain(steps));
        line = new HotLine(expansion, steps);
        shapeHash = ShapeKey.hash(line);
        SegmentShape hot = findShape();
        if (hot != null) {
            shape = hot;
            followShape(hot);
        }
    }

    /** The same steps behind another origin of the same kind. */
    private Segment(Segment same, OriginStage<?> head) {
        operators = same.operators.clone();
        operators[0] = head;
        attributes = same.attributes;
        afterBoundary = same.afterBoundary;
        beforeBoundary = same.beforeBoundary;
        origin = head.origin();
        expansion = null;
        steps = same.steps;
        line = same.line;
        terminal = same.terminal;
        stateful = same.stateful;
        preludeEnd = same.preludeEnd;
        failureEnd = same.failureEnd;
        madeAtHead = same.madeAtHead;
        shapeHash = same.shapeHash;
        body = withOwnLoop(new SegmentChain(steps));
        SegmentShape hot = same.shape == null ? findShape() : same.shape;
        if (hot != null) {
            shape = hot;
            followShape(hot);
        }
    }

    /** A segment of the same steps behind another origin of the same kind. */
    Segment withOrigin(OriginStage<?> head) {
        return new Segment(this, head);
    }

    private @Nullable SegmentShape findShape() {
        SegmentShape hot = ShapeTable.OF_PROCESS.find(shapeHash);
        return hot != null && hot.isOf(line, madeAtHead) ? hot : null;
    }

    /** What may be constant in a class of its own. */
    HotLine line() {
        return line;
    }

    private SegmentBody withOwnLoop(SegmentBody calls) {
        return isBatchTerminal() ? new BatchTerminal((Terminal<Object>) steps[0], calls) : calls;
    }

    /** Whether its one step has a loop of its own for batches, which no specialisation makes faster. */
    boolean isBatchTerminal() {
        return hasInlet() && steps.length == 1 && steps[0] instanceof Terminal<Object> last && last.takesBatches();
    }

    private static Step<?> stepOf(SynchronousStage<?, ?> operator) {
        if (operator instanceof StepStage<?, ?> inner) {
            return inner.step();
        }
        if (operator instanceof TerminalStage<?, ?> last) {
            return last.terminal();
        }
        throw new IllegalStateException(operator.name() + " stands in the middle of a segment");
    }

    private int headCount() {
        return origin == null && expansion == null ? 0 : 1;
    }

    @Nullable
    Origin origin() {
        return origin;
    }

    @Nullable
    Expansion<Object> expansion() {
        return expansion;
    }

    Step<Object>[] steps() {
        return steps;
    }

    /** Whether it ends in a terminal, which has a result. */
    boolean hasResult() {
        return terminal;
    }

    boolean hasInlet() {
        return origin == null && !afterBoundary;
    }

    boolean hasOutlet() {
        return !terminal && !beforeBoundary;
    }

    boolean isStateful() {
        return stateful;
    }

    /** One more than the last step that emits something before its first element. */
    int preludeEnd() {
        return preludeEnd;
    }

    /** Whether a step from this one on has a say when what is above it fails. */
    boolean seesFailures(int step) {
        return step < failureEnd;
    }

    /** Whether it goes on by itself, with no signal from a neighbour. */
    boolean drivesItself() {
        return !hasOutlet() && headCount() > 0 && !afterBoundary;
    }

    boolean isAfterBoundary() {
        return afterBoundary;
    }

    SegmentBody body() {
        return body;
    }

    void become(SegmentBody better) {
        body = withOwnLoop(better);
    }

    /** Takes the body of its shape, which has just been made; who passes elements meanwhile may undo that, and looks again later. */
    void becomeHot(SegmentShape hot) {
        SegmentBody made = hot.bodyOf(steps);
        if (hot == shape && made != null) {
            become(made);
        }
    }

    /** Goes back to the body before the one that looks at elements, unless another has come meanwhile. */
    void endProfile(SegmentProfiler looking, SegmentBody before) {
        SegmentBody now = body;
        if (now.calls(looking)) {
            BODY.compareAndSet(this, now, before);
        }
    }

    /** Leaves its hot shape, for which there is no body: those that come later begin to count anew. */
    void giveUp(SegmentShape hot) {
        ShapeTable.OF_PROCESS.forget(shapeHash, hot);
    }

    /** Counts elements that have passed, and looks whether others of this shape have got it a body of its own. */
    void warm(long passed) {
        SegmentShape own = shape;
        passedHere += passed;
        if (own != null && !own.isWhole() && passedHere >= HOT) {
            enter(new SegmentShape(
                    new ShapeKey.Same(line, true),
                    steps.length,
                    madeAtHead)); // used again and again, it deserves its own
        } else if (own != null) {
            followSpecialised(own);
        } else if (ShapeTable.OF_PROCESS.isHot(shapeHash, passed)) {
            enter(ShapeTable.OF_PROCESS.enter(shapeHash, line, madeAtHead));
        }
    }

    private void enter(SegmentShape hot) {
        shape = hot;
        isSpecialised = false;
        if (!followShape(hot) && !hot.wantsProfile()) {
            hot.request(this);
        }
    }

    /** Takes the body of a hot shape, or else looks at elements for it; whether the body was there. */
    private boolean followShape(SegmentShape hot) {
        if (followSpecialised(hot)) {
            return true;
        }
        if (hot.wantsProfile()) {
            become(new SegmentProfiler(this, hot, body));
        }
        return false;
    }

    /** Takes a body of a hot shape if it is there; whether it has one. */
    private boolean followSpecialised(SegmentShape hot) {
        SegmentBody made = isSpecialised ? null : hot.bodyOf(steps);
        if (made != null) {
            isSpecialised = true;
            become(made);
        }
        return isSpecialised;
    }

    /**
     * Whether the operator at this place gets a new state after this failure, or keeps the one it has; throws the
     * failure if the stream is to fail, as it does when an origin fails, which has nothing left.
     */
    boolean restartsAfter(int step, Throwable failure) {
        NullElementException.locate(failure, operatorName(step));
        Directive directive = isSupervised(step) ? Verdict.of(attributes[step + headCount()], failure) : Directive.STOP;
        if (directive == Directive.STOP) {
            throw Unchecked.of(failure);
        }
        return directive == Directive.RESTART;
    }

    /** Whether an operator stands there that has something left after a failure: an origin has not, and a boundary is none. */
    private boolean isSupervised(int step) {
        int index = step + headCount();
        return index >= 0 && index < operators.length && (step >= 0 || origin == null);
    }

    /** The path of the operator at this place among the steps; the head comes before the first. */
    String operatorName(int step) {
        int index = Math.min(Math.max(0, step + headCount()), operators.length - 1);
        return attributes[index].pathTo(operators[index].name());
    }

    /** The paths of all operators. */
    String path() {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < operators.length; i++) {
            path.append(i == 0 ? "" : " | ").append(operatorName(i - headCount()));
        }
        return path.toString();
    }

    /** The step by which elements leave over a boundary, which is its state. */
    private record ToBoundary() implements Step<Object> {
        @Override
        public Object apply(Object element, @Nullable Object[] states, int at) {
            ((Boundary) Step.state(states, at)).push(element);
            return NOTHING;
        }
    }

    /** Tells the steps that have a state that the run starts. */
    void start(@Nullable Object[] states) {
        for (int i = 0; i < states.length && i < steps.length; i++) {
            steps[i].start(states[i]);
        }
    }
}
