package io.millrace.docs.fluent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.docs.tidy.Repository;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Each operator is written once: what is rendered is what the written class says, and no other file claims to be rendered. */
class FluentTest {
    private static final String WRITTEN = """
            package io.millrace.streams;

            import io.millrace.streams.engine.plan.Blueprint;
            import io.millrace.streams.engine.plan.BlueprintGraph;
            import io.millrace.streams.graph.FlowShape;
            import io.millrace.streams.graph.Graph;
            import io.millrace.streams.graph.SourceShape;
            import java.util.function.Function;

            /** The operators of a {@link Flow} for all. */
            abstract class FlowElements<I, O, M> extends BlueprintGraph<FlowShape<I, O>, M> {
                FlowElements(Blueprint blueprint) {
                    super(blueprint);
                }

                /** As it is. */
                public <A extends Throwable, P> Flow<I, P, M> map(
                        long most, Function<? super Map<A, O>, ? extends P> function) {
                    return via(new MapStage<O, P>(most, function));
                }

                /** Joined. */
                abstract <P> Flow<I, P, M> joined(Graph<? extends SourceShape<?>, ?> other);

                /** Through. */
                public abstract <P> Flow<I, P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow);
            }
            """;

    @Test
    void whatIsRenderedIsWhatItsWrittenClassSays() throws IOException {
        Repository repository = Repository.open();
        Map<String, String> expected = new TreeMap<>();
        FluentRenderer.rendered(repository.root().resolve(Path.of(FluentRenderer.FOLDER)))
                .forEach(
                        (name, text) -> expected.put(FluentRenderer.FOLDER + name, FluentRenderer.withoutLayout(text)));
        Map<String, String> actual = new TreeMap<>();
        repository.files().stream()
                .filter(file -> expected.containsKey(file.path()) || file.text().startsWith(FluentRenderer.MARK))
                .forEach(file -> actual.put(file.path(), FluentRenderer.withoutLayout(file.text())));
        List<String> differing = expected.keySet().stream()
                .filter(path -> !expected.get(path).equals(actual.get(path)))
                .toList();
        assertThat(differing).as("to be rendered again: run bin/render-fluent").isEmpty();
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
    }

    @Test
    void aSourceIsAFlowThatTakesNothing() {
        assertThat(FluentRenderer.ofSource(WRITTEN)).isEqualTo("""
                package io.millrace.streams;

                import io.millrace.streams.engine.plan.Blueprint;
                import io.millrace.streams.engine.plan.BlueprintGraph;
                import io.millrace.streams.graph.FlowShape;
                import io.millrace.streams.graph.Graph;
                import io.millrace.streams.graph.SourceShape;
                import java.util.function.Function;

                /** The operators of a {@link Source} for all. */
                abstract class SourceElements<O, M> extends BlueprintGraph<SourceShape<O>, M> {
                    SourceElements(Blueprint blueprint) {
                        super(blueprint);
                    }

                    /** As it is. */
                    public <A extends Throwable, P> Source<P, M> map(
                            long most, Function<? super Map<A, O>, ? extends P> function) {
                        return via(new MapStage<O, P>(most, function));
                    }

                    /** Joined. */
                    abstract <P> Source<P, M> joined(Graph<? extends SourceShape<?>, ?> other);

                    /** Through. */
                    public abstract <P> Source<P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow);
                }
                """);
    }

    @Test
    void anOperatorOfSubstreamsIsAFlowThatEachOfThemPassesThrough() {
        assertThat(FluentRenderer.ofSubstreams(WRITTEN)).isEqualTo("""
                package io.millrace.streams;

                import io.millrace.streams.graph.FlowShape;
                import io.millrace.streams.graph.Graph;
                import java.util.function.Function;

                /** The operators of a {@link SubstreamsFlow} for all. */
                abstract class SubstreamsFlowElements<I, K, O, M> {
                    /** As it is. */
                    public <A extends Throwable, P> SubstreamsFlow<I, K, P, M> map(
                            long most, Function<? super Map<A, O>, ? extends P> function) {
                        return via(Flow.<O>create().<A, P>map(most, function));
                    }

                    /** Through. */
                    public abstract <P> SubstreamsFlow<I, K, P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow);
                }
                """);
    }

    @Test
    void aPublicMethodThatIsNoOperatorIsRefusedWhereSubstreamsWouldHaveIt() {
        String written = WRITTEN.replace("public <A extends Throwable, P> Flow<I, P, M> map", "public long count");
        assertThatThrownBy(() -> FluentRenderer.ofSubstreams(written))
                .hasMessageContaining("class SubstreamsFlowElements");
    }

    @Test
    void aSinkThatTakesNothingIsAGraphToRun() {
        String written = """
                final class SubstreamsFlow<I, K, O, M> {
                    public Sink<I, M> to(Graph<? extends SinkShape<? super O>, ?> sink) {
                        return new SubstreamsFlow<>(Flow.<O>create().asFlow());
                    }
                }
                """;
        assertThat(FluentRenderer.ofSource(written)).isEqualTo("""
                final class SubstreamsSource<K, O, M> {
                    public RunnableGraph<M> to(Graph<? extends SinkShape<? super O>, ?> sink) {
                        return new SubstreamsSource<>(Flow.<O>create().asFlow());
                    }
                }
                """);
    }
}
