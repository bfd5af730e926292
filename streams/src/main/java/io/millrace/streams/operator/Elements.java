package io.millrace.streams.operator;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A list of elements that nobody changes any more, over the array in which they were collected. */
public final class Elements<T> extends AbstractList<T> implements RandomAccess {
    private final @Nullable Object[] elements;

    /** Over all places of this array, which are filled and belong to the list from now on. */
    public Elements(@Nullable Object[] elements) {
        this.elements = elements;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // every place is filled
    public T get(int index) {
        return (T) elements[index];
    }

    @Override
    public int size() {
        return elements.length;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // every place is filled
    public void forEach(Consumer<? super T> action) {
        Objects.requireNonNull(action, "action");
        for (Object element : elements) {
            action.accept((T) element);
        }
    }

    @Override
    @SuppressWarnings("NullAway") // every place is filled
    public Object[] toArray() {
        return Arrays.copyOf(elements, elements.length, Object[].class);
    }
}
