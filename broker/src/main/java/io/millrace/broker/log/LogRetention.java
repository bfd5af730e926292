package io.millrace.broker.log;

import java.util.concurrent.TimeUnit;

/** How long ledgers are kept that every subscription has acknowledged, by topic. Called by the ledger writer. */
@FunctionalInterface
public interface LogRetention {
    /** Nothing is kept for longer. */
    LogRetention NOTHING = topic -> Kept.NOTHING;

    /** Everything is kept until it is known what is to be. */
    LogRetention UNKNOWN = topic -> new Kept(Kept.NO_LIMIT, Kept.NO_LIMIT);

    /** What is kept of the topic of that name. */
    Kept of(String topic);

    /**
     * A ledger is kept until one of the two limits is reached.
     *
     * @param millis since its last message was published; {@link #NO_LIMIT} for ever
     * @param bytes how many bytes of the topic, its newest, are kept at least; {@link #NO_LIMIT} for any number
     */
    record Kept(long millis, long bytes) {
        /** There is none. */
        public static final long NO_LIMIT = -1;

        /** All subscriptions have acknowledged it: it goes. */
        public static final Kept NOTHING = new Kept(0, 0);

        private static final long MIB = 1 << 20;
        private static final long MAX_MIB = Long.MAX_VALUE / MIB;

        /** As Pulsar's policy has it: a negative number is no limit. */
        public static Kept of(long minutes, long megabytes) {
            return new Kept(
                    minutes < 0 ? NO_LIMIT : TimeUnit.MINUTES.toMillis(minutes),
                    megabytes < 0 ? NO_LIMIT : Math.min(megabytes, MAX_MIB) * MIB);
        }

        boolean isNothing() {
            return millis == 0 || bytes == 0;
        }
    }
}
