package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.engine.pool.Turn;
import java.util.Iterator;

/** Calls a terminal that stands alone behind an inlet and takes a run of elements at once, however many they are. */
final class BatchTerminal extends SegmentBody {
    private final Terminal<Object> terminal;
    private final SegmentBody otherwise;

    BatchTerminal(Terminal<Object> terminal, SegmentBody otherwise) {
        this.terminal = terminal;
        this.otherwise = otherwise;
    }

    @Override
    boolean calls(SegmentBody other) {
        return otherwise == other;
    }

    @Override
    Object pass(SegmentRun run, Object element) throws Exception {
        run.failedAt = 0;
        return terminal.apply(element, run.states, 0);
    }

    @Override
    Object pull(SegmentRun run, Iterator<?> source, Turn turn, int atMost) throws Exception {
        if (!(source instanceof ElementBatch<?> elements)) {
            return otherwise.pull(run, source, turn, atMost);
        }
        long from = elements.position();
        run.failedAt = 0;
        try {
            terminal.applyAll(elements, run.states);
            run.failedAt = SegmentRun.HEAD;
        } finally {
            run.taken = (int) (elements.position() - from);
        }
        return elements.hasNext() ? Step.NOTHING : EXHAUSTED;
    }
}
