package io.millrace.docs.operators;

import io.millrace.docs.tidy.TextFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of docs/operators: one heading of the third level for each operator, below it what it does, when, and an
 * example. The line {@code Operators:} names what the operators of the page are: flows, sources or sinks.
 */
record OperatorPage(Kind kind, List<Entry> entries) {
    private static final Pattern KIND = Pattern.compile("(?m)^Operators: `(\\w+)`$");
    private static final Pattern HEADING = Pattern.compile("(?m)^### (.+)$");

    /** What an operator is decides what must be said of it. */
    enum Kind {
        FLOWS("Emits Backpressures Completes Cancels Fails"),
        SOURCES("Emits Completes Cancels Fails"),
        SINKS("Value Backpressures Cancels Fails");

        private final String said;

        /** The words in the order of the page, separated by blanks. */
        Kind(String said) {
            this.said = said;
        }
    }

    /** One operator, or a few that differ in nothing that is said here. */
    record Entry(String page, String operator, String text) {
        List<String> problems(Kind kind) {
            List<String> problems = new ArrayList<>();
            for (String said : kind.said.split(" ", -1)) {
                if (!Pattern.compile("(?m)^- \\*\\*" + said + "\\*\\* \\S")
                        .matcher(text)
                        .find()) {
                    problems.add(page + ": " + operator + " does not say: - **" + said + "** ...");
                }
            }
            if (!text.contains("```java\n")) {
                problems.add(page + ": " + operator + " has no example");
            }
            String contract = text.strip().lines().findFirst().orElse("");
            if (contract.isEmpty() || contract.startsWith("-") || contract.startsWith("<")) {
                problems.add(page + ": " + operator + " does not begin with a sentence that says what it does");
            }
            return problems;
        }
    }

    static Optional<OperatorPage> parse(TextFile file) {
        Matcher kind = KIND.matcher(file.text());
        if (!kind.find()) {
            return Optional.empty();
        }
        List<Entry> entries = new ArrayList<>();
        Matcher heading = HEADING.matcher(file.text());
        boolean found = heading.find();
        while (found) {
            String names = heading.group(1);
            int start = heading.end();
            found = heading.find();
            String text = file.text()
                    .substring(start, found ? heading.start() : file.text().length());
            for (String name : names.split(", ", -1)) {
                entries.add(new Entry(file.path(), name.strip(), text));
            }
        }
        return Optional.of(new OperatorPage(Kind.valueOf(kind.group(1).toUpperCase(Locale.ROOT)), entries));
    }

    List<String> problems() {
        return entries.stream().flatMap(entry -> entry.problems(kind).stream()).toList();
    }
}
