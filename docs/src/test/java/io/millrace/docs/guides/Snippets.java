package io.millrace.docs.guides;

import io.millrace.docs.tidy.TextFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the Java blocks of a page with the regions they name. A block is preceded by a comment line
 * {@code <!-- snippet: FILE#REGION -->}; the region runs from {@code // snippet: REGION} to {@code // end}.
 */
final class Snippets {
    private static final Pattern BLOCK =
            Pattern.compile("(?m)(?:^<!-- snippet: (\\S+)#(\\S+) -->\\n)?^```java\\n((?s:.*?))^```$");

    private Snippets() {}

    static List<String> problems(TextFile page, List<TextFile> files) {
        List<String> problems = new ArrayList<>();
        Matcher block = BLOCK.matcher(page.text());
        while (block.find()) {
            String where = page.path() + ":" + page.lineOf(block.start());
            if (block.group(1) == null) {
                problems.add(where + " the block names no snippet");
                continue;
            }
            Optional<String> region = region(files, block.group(1), block.group(2));
            if (region.isEmpty()) {
                problems.add(where + " no region " + block.group(2) + " in " + block.group(1));
            } else if (!region.get().equals(dedented(block.group(3)))) {
                problems.add(where + " differs from its region, which is\n" + region.get());
            }
        }
        return problems;
    }

    private static Optional<String> region(List<TextFile> files, String path, String name) {
        Pattern marks = Pattern.compile("(?ms)^ *// snippet: " + Pattern.quote(name) + "\\n(.*?)^ *// end$");
        return files.stream()
                .filter(file -> file.path().equals(path))
                .map(file -> marks.matcher(file.text()))
                .filter(Matcher::find)
                .map(found -> dedented(found.group(1)))
                .findFirst();
    }

    private static String dedented(String lines) {
        return lines.stripTrailing().stripIndent();
    }
}
