package io.millrace.broker.schema;

import org.jspecify.annotations.Nullable;

/** Which change of a schema may follow which: the strategies that Pulsar has, by its names. */
public enum Compatibility {
    /** What stands above says it: the namespace, then the broker, then {@link #FULL}. */
    UNDEFINED(false, false, false),
    /** No change is taken. */
    ALWAYS_INCOMPATIBLE(false, false, false),
    /** Every change is taken, also of the type. */
    ALWAYS_COMPATIBLE(false, false, false),
    /** The new schema reads what was written by the latest. */
    BACKWARD(true, false, false),
    /** The latest schema reads what is written by the new. */
    FORWARD(false, true, false),
    /** Both. */
    FULL(true, true, false),
    /** The new schema reads what was written by any version. */
    BACKWARD_TRANSITIVE(true, false, true),
    /** Every version reads what is written by the new schema. */
    FORWARD_TRANSITIVE(false, true, true),
    /** Both, of any version. */
    FULL_TRANSITIVE(true, true, true);

    private final boolean newReadsOld;
    private final boolean oldReadsNew;
    private final boolean isTransitive;

    Compatibility(boolean newReadsOld, boolean oldReadsNew, boolean isTransitive) {
        this.newReadsOld = newReadsOld;
        this.oldReadsNew = oldReadsNew;
        this.isTransitive = isTransitive;
    }

    boolean newReadsOld() {
        return newReadsOld;
    }

    boolean oldReadsNew() {
        return oldReadsNew;
    }

    /** Whether every version counts, rather than the latest. */
    public boolean isTransitive() {
        return isTransitive;
    }

    /** How a consumer's schema is checked where producers are checked by this: mostly, whether it reads the latest. */
    public Compatibility forConsumers() {
        return switch (this) {
            case BACKWARD, FORWARD, FORWARD_TRANSITIVE, FULL -> BACKWARD;
            default -> this;
        };
    }

    /** Whether it takes every version into account when a consumer's schema is checked, as Pulsar does. */
    public boolean consumersReadAll() {
        return forConsumers() != BACKWARD;
    }

    /** The one of that name in letters of any case, with hyphens or underscores; null if there is none. */
    static @Nullable Compatibility parse(String text) {
        for (Compatibility each : values()) {
            if (each.name().equalsIgnoreCase(text.replace('-', '_'))) {
                return each;
            }
        }
        return null;
    }
}
