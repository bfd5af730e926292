package io.millrace.broker.log;

/** The durable side of one subscription; one owner appends. */
public final class CursorLog {
    private final String name;
    private final CursorState recovered;

    CursorLog(String name, CursorState recovered) {
        this.name = name;
        this.recovered = recovered;
    }

    public String name() {
        return name;
    }

    /** A private copy of the state as of opening, for the caller to keep up to date. */
    public CursorState recovered() {
        return recovered.copy();
    }

    /** Queues the delta for the next journal group and returns its number, counting from 1. */
    public long append(CursorDelta delta) {
        return notLanded();
    }

    /** Sets who is told when deltas are durable; before the first append. */
    public void listener(CursorLogListener listener) {
        notLanded();
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    private static <T> T notLanded() {
        throw new UnsupportedOperationException("not landed yet");
    }
}
