package io.millrace.streams.graph;

import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.SchedulerExecutor;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Settings attached to a part of a graph; immutable. What is attached further inside wins. */
public final class Attributes {
    /** No attributes. */
    public static final Attributes NONE = new Attributes(null, null);

    private final @Nullable Object value;
    private final @Nullable Attributes outer;

    private Attributes(@Nullable Object value, @Nullable Attributes outer) {
        this.value = value;
        this.outer = outer;
    }

    /** The name of a part, as it appears in paths. */
    public record Name(String value) {}

    /** What stands below a part, for its failures. */
    public record Checkpoint(String description) {
        public Checkpoint {
            Objects.requireNonNull(description, "description");
        }
    }

    /** Where an operator was put together: a class, a method, a file and a line. */
    public record AssemblySite(String place) {}

    /** How many elements the asynchronous boundaries into a part hold, 1 to 65536. */
    public record InputBuffer(int elements) {
        private static final int MAX = 65_536;

        public InputBuffer {
            if (elements < 1 || elements > MAX) {
                throw new IllegalArgumentException("inputBuffer must be between 1 and " + MAX + ", not " + elements);
            }
        }
    }

    /** How many messages of one stage actor are handled before other outside events get their turn. */
    public record DrainBatch(int messages) {}

    /** How long the substreams of a part may wait to be run; more than zero. */
    public record SubscriptionTimeout(Duration duration) {
        static final SubscriptionTimeout DEFAULT = new SubscriptionTimeout(Duration.ofSeconds(5));

        public SubscriptionTimeout {
            if (duration.isZero() || duration.isNegative()) {
                throw new IllegalArgumentException("subscriptionTimeout must be more than zero, not " + duration);
            }
        }

        /** The innermost of these attributes, or else five seconds. */
        public static Duration of(Attributes attributes) {
            return attributes.find(SubscriptionTimeout.class).orElse(DEFAULT).duration();
        }
    }

    /** The part runs as an island of its own. */
    public record AsyncBoundary() {}

    /** Says on which executor islands run. */
    public sealed interface Place {
        /** The executor. */
        Executor executor();
    }

    /** The part runs as an island of its own on this executor. */
    public record Dispatcher(Executor executor) implements Place {}

    /** Stands in a graph for the blocking workers of whatever runtime it is run on. */
    public enum Blocking implements Executor {
        WORKERS;

        /** Not here: a runtime takes its own blocking workers instead. */
        @Override
        public void execute(Runnable task) {
            throw new IllegalStateException("only a runtime has blocking workers");
        }
    }

    /** The island in which the part lies, and those that begin inside it, run on this executor. */
    public record SubscribeOn(Executor executor) implements Place {}

    /** The island in which the part lies runs on this executor, those that begin inside it do not. */
    public record ObserveOn(Executor executor) {}

    /** What becomes of the stream when a function given to an operator of the part throws. */
    public static Attributes supervision(Supervision supervision) {
        return of(Objects.requireNonNull(supervision, "supervision"));
    }

    /** The name of a part, as it appears in paths. */
    public static Attributes name(String name) {
        return of(new Name(Objects.requireNonNull(name, "name")));
    }

    /** How many elements the asynchronous boundaries into a part hold, 1 to 65536. */
    public static Attributes inputBuffer(int elements) {
        return of(new InputBuffer(elements));
    }

    /** How many messages of one stage actor of a part are handled before other outside events get their turn. */
    public static Attributes drainBatch(int messages) {
        if (messages < 1) {
            throw new IllegalArgumentException("drainBatch must be at least 1, not " + messages);
        }
        return of(new DrainBatch(messages));
    }

    /** How long the substreams of a part may wait to be run before that counts as a failure; five seconds unless set. */
    public static Attributes subscriptionTimeout(Duration duration) {
        return of(new SubscriptionTimeout(duration));
    }

    /** The part runs as an island of its own. */
    public static Attributes asyncBoundary() {
        return of(new AsyncBoundary());
    }

    /** The part runs as an island of its own on this executor. */
    public static Attributes dispatcher(Executor executor) {
        return of(new Dispatcher(Objects.requireNonNull(executor, "executor")));
    }

    /** The part runs as an island of its own on the runtime's blocking workers: its handlers may block. */
    public static Attributes blocking() {
        return of(new Dispatcher(Blocking.WORKERS));
    }

    /** The part runs as an island of its own on a worker of this scheduler. */
    public static Attributes dispatcher(Scheduler scheduler) {
        return of(new Dispatcher(new SchedulerExecutor(scheduler)));
    }

    /** Any value as an attribute, found again by its class. */
    public static Attributes of(Object value) {
        return new Attributes(Objects.requireNonNull(value, "value"), NONE);
    }

    /** These attributes, with those of a part further inside added to them. */
    public Attributes and(Attributes inner) {
        if (inner.outer == null) {
            return this;
        }
        if (this.outer == null) {
            return inner;
        }
        return new Attributes(inner.value, and(inner.outer));
    }

    /** The innermost attribute of this class. */
    public <A> Optional<A> find(Class<A> type) {
        for (Attributes at = this; at != null; at = at.outer) {
            if (type.isInstance(at.value)) {
                return Optional.of(type.cast(at.value));
            }
        }
        return Optional.empty();
    }

    /** The names from the outermost to the innermost, separated by slashes; empty if there are none. */
    public String path() {
        StringBuilder path = new StringBuilder();
        for (Attributes at = this; at != null; at = at.outer) {
            if (at.value instanceof Name name) {
                path.insert(0, path.isEmpty() ? name.value() : name.value() + "/");
            }
        }
        return path.toString();
    }

    /**
     * The path to an operator of this name, with the next checkpoint below if there is one, and with assembly tracing on
     * also where it was put together.
     */
    public String pathTo(String operator) {
        String path = path();
        String whole = path.isEmpty() ? operator : path + "/" + operator;
        return whole
                + find(Checkpoint.class)
                        .map(next -> " (before checkpoint " + next.description() + ")")
                        .orElse("")
                + find(AssemblySite.class)
                        .map(site -> " (assembled at " + site.place() + ")")
                        .orElse("");
    }
}
