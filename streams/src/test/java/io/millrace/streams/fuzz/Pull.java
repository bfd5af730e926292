package io.millrace.streams.fuzz;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The elements of a stream in the interpreter, one for each call. */
@FunctionalInterface
interface Pull {
    /** The next element, or null at the end; a failure comes as {@link Failed}. */
    @Nullable
    Object next();

    static Pull of(Iterator<?> elements) {
        return () -> elements.hasNext() ? elements.next() : null;
    }

    /** Those of a list that is made when the first is asked for. */
    static Pull lazily(Supplier<? extends List<?>> list) {
        return new Pull() {
            private @Nullable Iterator<?> elements;

            @Override
            public @Nullable Object next() {
                if (elements == null) {
                    elements = list.get().iterator();
                }
                return elements.hasNext() ? elements.next() : null;
            }
        };
    }

    /** All elements that are left. */
    default List<Object> rest() {
        List<Object> rest = new ArrayList<>();
        for (Object element = next(); element != null; element = next()) {
            rest.add(element);
        }
        return rest;
    }
}
