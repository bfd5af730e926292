package io.millrace.streams.inspect;

/**
 * One edge between two stages of a stream.
 *
 * @param fromStage the number of the stage that pushes
 * @param toStage the number of the stage that pulls
 * @param elementCount how many elements have gone over it
 * @param state who waits for whom
 */
public record EdgeSnapshot(int fromStage, int toStage, long elementCount, State state) {
    /** Who waits for whom. */
    public enum State {
        /** The upstream stage waits to be asked. */
        WAITING_FOR_DEMAND,
        /** The downstream stage waits for an element. */
        WAITING_FOR_ELEMENT,
        /** A signal is on its way. */
        IN_FLIGHT,
        /** At least one end is closed. */
        CLOSED
    }
}
