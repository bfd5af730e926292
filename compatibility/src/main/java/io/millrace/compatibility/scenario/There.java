package io.millrace.compatibility.scenario;

import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** What has to be in an answer. */
public final class There {
    private There() {}

    /**
     * The value of that key.
     *
     * @throws NoSuchElementException if there is none
     */
    public static <V> V of(Map<String, ? extends V> all, String key) {
        @Nullable V found = all.get(key);
        if (found == null) {
            throw new NoSuchElementException("there is no " + key + ", only " + all.keySet());
        }
        return found;
    }
}
