package io.millrace.streams.inspect;

import java.time.Duration;
import java.util.List;

/**
 * A stream through which nothing has gone for a while.
 *
 * @param stream the stream as it stands
 * @param quiet for how long nothing has gone through it, at least
 * @param culprits the stages for which the others wait
 */
public record StallReport(StreamSnapshot stream, Duration quiet, List<Culprit> culprits) {
    /** Finds who holds up a stream that stands still. */
    public static StallReport of(StreamSnapshot stream, Duration quiet) {
        return new StallReport(stream, quiet, StallAnalysis.culprits(stream));
    }

    /** Why a stage holds the others up. */
    public enum Reason {
        /** It has been asked for an element, asks nobody itself, and sends none. */
        SENDS_NOTHING,
        /** Somebody has an element for it or waits to make one, and it does not ask. */
        ASKS_FOR_NOTHING,
        /** It waits for a stage that waits for it in turn. */
        WAITS_IN_A_CIRCLE,
        /** Its island is running all the time: a handler blocks, or a fused loop is long. */
        RUNS
    }

    /** A stage that holds the others up: its number, its operator path, and why. */
    public record Culprit(int stage, String name, Reason reason) {}

    /** One line: the stream, and who holds it up. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(
                "stream " + stream.name() + "#" + stream.id() + " has stood still for " + quiet + "; it waits for: ");
        for (int i = 0; i < culprits.size(); i++) {
            Culprit culprit = culprits.get(i);
            line.append(i == 0 ? "" : ", ").append('[').append(culprit.stage()).append("] ");
            line.append(culprit.name()).append(" (").append(culprit.reason()).append(')');
        }
        return line.toString();
    }
}
