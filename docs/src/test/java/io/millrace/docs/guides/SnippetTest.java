package io.millrace.docs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.docs.tidy.Repository;
import io.millrace.docs.tidy.TextFile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Java on our pages is the Java of a compiled test: same text, indentation aside. */
class SnippetTest {
    private static final String CLASS = """
            class A {
                void a() {
                    // snippet: one
                    int a = 1;
                    if (a > 0) {
                        a++;
                    }
                    // end
                }
            }
            """;

    @Test
    void everyJavaBlockOfEveryPageIsARegionOfACompiledTest() throws IOException {
        Repository repository = Repository.open();
        List<String> problems = repository.files().stream()
                .filter(TextFile::isMarkdown)
                .flatMap(page -> Snippets.problems(page, repository.files()).stream())
                .toList();
        assertThat(problems).isEmpty();
    }

    @Test
    void anEqualRegionPassesAndAChangedOneIsFound() {
        String block = "<!-- snippet: docs/A.java#one -->\n```java\nint a = 1;\nif (a > 0) {\n    a++;\n}\n```\n";
        assertThat(problems(block)).isEmpty();
        assertThat(problems(block.replace("a++", "a--")))
                .singleElement()
                .asString()
                .contains("differs");
    }

    @Test
    void aBlockWithoutASourceAndASourceThatIsMissingAreFound() {
        assertThat(problems("```java\nint a;\n```\n"))
                .singleElement()
                .asString()
                .contains("names no");
        String block = "<!-- snippet: docs/A.java#two -->\n```java\nint a;\n```\n";
        assertThat(problems(block)).singleElement().asString().contains("no region");
        assertThat(problems(block.replace("A.java", "B.java")))
                .singleElement()
                .asString()
                .contains("no region");
    }

    private static List<String> problems(String page) {
        return Snippets.problems(new TextFile("docs/a.md", page), List.of(new TextFile("docs/A.java", CLASS)));
    }
}
