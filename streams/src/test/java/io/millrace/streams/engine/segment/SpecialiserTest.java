package io.millrace.streams.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who asks for a class of his own hears that there is none, whatever keeps it from being made, and no more of that. */
final class SpecialiserTest {
    private final List<@Nullable SegmentBody> given = new ArrayList<>();

    @Test
    void withoutAThreadThereIsNone() {
        Specialiser threadless = new Specialiser(task -> {
            throw new IllegalStateException("no thread, on purpose");
        });
        threadless.request(new HotLine(null, new Step<?>[0]), given::add);
        assertThat(given).containsExactly((SegmentBody) null);
    }

    @Test
    void whatCannotBeDefinedIsNotAskedForAgain() {
        Specialiser here = new Specialiser(Runnable::run);
        here.request("neither a line nor kinds", given::add);
        assertThat(given).as("what has its shape count anew").isEmpty();
    }

    @Test
    void otherwiseThereIsOne() {
        Specialiser here = new Specialiser(Runnable::run);
        here.request(new HotLine(null, new Step<?>[0]), given::add);
        assertThat(given).hasSize(1).doesNotContainNull();
    }
}
