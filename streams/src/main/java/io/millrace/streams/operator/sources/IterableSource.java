package io.millrace.streams.operator.sources;

import io.millrace.streams.engine.segment.Origin;
import io.millrace.streams.engine.segment.OriginStage;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Emits what an iterable holds; each run iterates anew. */
public final class IterableSource<O> extends OriginStage<O> {
    /**
     * Collections that hold their elements themselves, or in another one of these, so that no iterator is anybody else's. Others of the platform may be
     * wrappers; those whose iterators compare elements or take a lock are not among them either.
     */
    private static final Set<String> PLAIN = Set.of(
            "java.util.ArrayDeque",
            "java.util.ArrayList",
            "java.util.ArrayList$SubList",
            "java.util.Arrays$ArrayList",
            "java.util.Collections$CopiesList",
            "java.util.Collections$EmptyList",
            "java.util.Collections$EmptySet",
            "java.util.Collections$SingletonList",
            "java.util.Collections$SingletonSet",
            "java.util.HashMap$EntrySet",
            "java.util.HashMap$KeySet",
            "java.util.HashMap$Values",
            "java.util.HashSet",
            "java.util.ImmutableCollections$List12",
            "java.util.ImmutableCollections$ListN",
            "java.util.ImmutableCollections$Set12",
            "java.util.ImmutableCollections$SetN",
            "java.util.ImmutableCollections$SubList",
            "java.util.LinkedHashMap$LinkedEntrySet",
            "java.util.LinkedHashMap$LinkedKeySet",
            "java.util.LinkedHashMap$LinkedValues",
            "java.util.LinkedHashSet",
            "java.util.LinkedList",
            "java.util.PriorityQueue",
            "java.util.concurrent.ConcurrentHashMap$EntrySetView",
            "java.util.concurrent.ConcurrentHashMap$KeySetView",
            "java.util.concurrent.ConcurrentHashMap$ValuesView",
            "java.util.concurrent.ConcurrentLinkedQueue",
            "java.util.concurrent.CopyOnWriteArrayList",
            "java.util.concurrent.CopyOnWriteArraySet");

    private static final ClassValue<Boolean> IS_PLAIN = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return PLAIN.contains(type.getName());
        }
    };

    public IterableSource(String name, Iterable<? extends O> elements) {
        super(name, new Elements(Objects.requireNonNull(elements, "elements")));
    }

    /** Completes at once. */
    public static <O> IterableSource<O> empty() {
        return new IterableSource<>("empty", List.of());
    }

    private record Elements(Iterable<?> elements) implements Origin {
        @Override
        public Iterator<?> newIterator() {
            return elements.iterator();
        }

        /** Anybody else's may be a way to somewhere far. */
        @Override
        public boolean isPlain() {
            return IS_PLAIN.get(elements.getClass());
        }
    }
}
