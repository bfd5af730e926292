package io.millrace.streams.hub;

/** A hub has disconnected a consumer that was a whole buffer behind ({@link LagPolicy#DISCONNECT}). */
public final class ConsumerLaggedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long position;

    /**
     * @param position of the first element that the consumer has not seen
     * @param bufferSize of the hub, in elements
     */
    public ConsumerLaggedException(long position, int bufferSize) {
        super("the consumer was more than " + bufferSize + " elements behind and has seen all before position "
                + position);
        this.position = position;
    }

    /** The hub's position of the first element that the consumer has not seen; it has seen all before from its start. */
    public long position() {
        return position;
    }
}
