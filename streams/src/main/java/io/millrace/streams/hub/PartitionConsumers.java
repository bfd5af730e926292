package io.millrace.streams.hub;

/** The present consumers of a partition hub in the order in which they came, as its {@link Partitioner} sees them. */
public interface PartitionConsumers {
    /** How many there are, at least one. */
    int count();

    /** A number that the consumer keeps, whoever comes or goes, and that no other consumer of the hub gets. */
    long id(int index);

    /** How many elements wait for the consumer. */
    int queued(int index);

    /** Whether the consumer's queue takes another element. */
    boolean hasRoom(int index);
}
