package io.millrace.docs.behaviours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.docs.tidy.JavaSource;
import io.millrace.docs.tidy.Repository;
import io.millrace.docs.tidy.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every line of a finished area of docs/behaviours.md has a test that carries its id. */
class BehavioursTest {
    private static final String LIST = """
            ## Log
            Area: `LOG` finished

            - **LOG-1** A receipt leaves
               after the force.
            - **LOG-2** Another.

            ## Sessions
            Area: `PRO` open

            - **PRO-1** Later.
            """;

    @Test
    void everyLineOfAFinishedAreaHasATestAndNoTestNamesAnUnknownLine() throws IOException {
        Repository repository = Repository.open();
        AcceptanceList list =
                AcceptanceList.parse(Files.readString(repository.root().resolve("docs/behaviours.md")));
        Set<String> tested = new TreeSet<>();
        repository.javaSources().stream()
                .filter(source -> source.file().isTest())
                .forEach(source -> tested.addAll(CarriedIds.of(source)));
        assertThat(list.problems(tested)).isEmpty();
    }

    @Test
    void aFinishedLineWithoutATestIsAProblemAndAnOpenOneIsNot() {
        AcceptanceList list = AcceptanceList.parse(LIST);
        assertThat(list.ids()).containsExactly("LOG-1", "LOG-2", "PRO-1");
        assertThat(list.problems(Set.of("LOG-1", "LOG-2"))).isEmpty();
        assertThat(list.problems(Set.of("LOG-1"))).singleElement().asString().startsWith("LOG-2");
    }

    @Test
    void anUnknownIdIsAProblem() {
        assertThat(AcceptanceList.parse(LIST).problems(Set.of("LOG-1", "LOG-2", "LOG-99")))
                .singleElement()
                .asString()
                .startsWith("LOG-99");
    }

    @Test
    void aListThatNamesALineTwiceOrAnAreaWronglyIsRefused() {
        assertThatThrownBy(() -> AcceptanceList.parse(LIST + "- **LOG-1** Again.\n"))
                .hasMessageContaining("LOG-1");
        assertThatThrownBy(() -> AcceptanceList.parse(LIST.replace("` open", "` nearly")))
                .hasMessageContaining("PRO");
        assertThatThrownBy(() -> AcceptanceList.parse(LIST + "- **XYZ-1** Stray.\n"))
                .hasMessageContaining("XYZ-1");
    }

    @Test
    void idsAreTakenFromTestsAlone() {
        assertThat(carried("class A { @Test @Behaviour(\"LOG-1\") void a() {} }"))
                .containsExactly("LOG-1");
        assertThat(carried("class A { @ParameterizedTest @Behaviour({\"LOG-1\", \"LOG-2\"}) void a(int i) {} }"))
                .containsExactly("LOG-1", "LOG-2");
        assertThat(carried("@Behaviour(\"LOG-1\") class A { @Test void a() {} }"))
                .containsExactly("LOG-1");
        assertThat(carried("@Behaviour(\"LOG-1\") class A { void a() {} }")).isEmpty();
        assertThat(carried("class A { @Behaviour(\"LOG-1\") void a() {} }")).isEmpty();
        assertThat(carried("class A { @Test @Disabled @Behaviour(\"LOG-1\") void a() {} }"))
                .isEmpty();
        assertThat(carried("class A { // @Test @Behaviour(\"LOG-1\")\n }")).isEmpty();
    }

    private static Set<String> carried(String text) {
        return CarriedIds.of(JavaSource.parse(new TextFile("broker/src/test/java/A.java", text)));
    }
}
