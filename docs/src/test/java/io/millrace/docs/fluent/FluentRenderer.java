package io.millrace.docs.fluent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Renders the fluent classes of the library that follow from those of flows, which are the ones that are written. A source is a
 * flow that takes nothing: {@code FlowElements<I, O, M>} becomes {@code SourceElements<O, M>}, and a sink that takes nothing is a
 * graph to run. On substreams, an operator is a flow that each of them passes through.
 *
 * <p>This is a program of one file, {@code bin/render-fluent}: it runs also when what it renders does not compile.
 */
public final class FluentRenderer {
    static final String FOLDER = "streams/src/main/java/io/millrace/streams/";
    static final String MARK = "// Rendered by bin/render-fluent from ";

    /** Themes whose operators substreams have, too: each of these works on the elements of one stream. */
    private static final List<String> OF_EACH_STREAM = List.of("Elements", "Futures", "Timing", "Failures");

    private static final List<String> OTHERS = List.of("Junctions", "Substreams", "Control", "WithContextElements");

    private static final Pattern TAKING = Pattern.compile("\\b(Substreams)?Flow(\\w*)<I, (?:CI, )?");
    private static final Pattern NAMED = Pattern.compile("\\b(Substreams)?Flow(\\w*)(?=[(}]|<>\\()");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import [\\w.]+\\.(\\w+);\\n");
    private static final Pattern OPERATOR = Pattern.compile("(?m)^    (/\\*\\*(?s:(?!\\*/).)*\\*/)\\n"
            + "    public (abstract )?(<[\\w, ]+> )?Flow<I, (.+), M> (\\w+)\\(([^{;]*)\\)(?: \\{|;)$");
    private static final Pattern PUBLIC = Pattern.compile("(?m)^    public ");
    private static final Pattern TYPE_ARGUMENTS = Pattern.compile("<[^<>]*>");

    private FluentRenderer() {}

    /** Renders what is no longer what its written class says; what is only laid out otherwise stays. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(FOLDER);
        for (Map.Entry<String, String> one : rendered(folder).entrySet()) {
            Path file = folder.resolve(one.getKey());
            String before = Files.exists(file) ? Files.readString(file) : "";
            if (!withoutLayout(before).equals(withoutLayout(one.getValue()))) {
                Files.writeString(file, one.getValue());
            }
        }
    }

    /** What the rendered files must hold, layout aside, by their names. */
    static Map<String, String> rendered(Path folder) throws IOException {
        Map<String, String> files = new TreeMap<>();
        for (String theme :
                Stream.concat(OF_EACH_STREAM.stream(), OTHERS.stream()).toList()) {
            String written = "Flow" + theme + ".java";
            String text = Files.readString(folder.resolve(written));
            files.put("Source" + theme + ".java", marked(written, ofSource(text)));
            if (OF_EACH_STREAM.contains(theme)) {
                String substreams = ofSubstreams(text);
                files.put("SubstreamsFlow" + theme + ".java", marked(written, substreams));
                files.put("SubstreamsSource" + theme + ".java", marked(written, ofSource(substreams)));
            }
        }
        String substreams = Files.readString(folder.resolve("SubstreamsFlow.java"));
        files.put("SubstreamsSource.java", marked("SubstreamsFlow.java", ofSource(substreams)));
        return files;
    }

    private static String marked(String written, String text) {
        return MARK + written + ", which is the one to change.\n" + text;
    }

    /** A class of flows as one of sources. */
    static String ofSource(String text) {
        String taking = TAKING.matcher(text).replaceAll("$1Source$2<").replace(" Sink<I, ", " RunnableGraph<");
        return withoutIdleImports(NAMED.matcher(taking).replaceAll("$1Source$2"));
    }

    /** A class of flows as one of flows that have been split: each operator is a flow for every substream. */
    static String ofSubstreams(String text) {
        String head = text.substring(0, text.indexOf('{', text.indexOf("\nabstract class ")))
                .replaceFirst(" extends BlueprintGraph<.*> $", " ")
                .replaceAll("\\bFlow(\\w*)<I, ", "SubstreamsFlow$1<I, K, ")
                .replace("{@link Flow}", "{@link SubstreamsFlow}");
        List<String> members = new ArrayList<>();
        OPERATOR.matcher(text).results().forEach(one -> members.add(ofEach(one)));
        if (members.size() != PUBLIC.matcher(text).results().count()) {
            throw new IllegalArgumentException(
                    "a public method is no operator from flow to flow with a comment: " + head);
        }
        return withoutIdleImports(head + "{\n" + String.join("\n", members) + "}\n");
    }

    private static String ofEach(MatchResult operator) {
        String comment = operator.group(1);
        boolean isAbstract = operator.group(2) != null;
        String types = operator.group(3) == null ? "" : operator.group(3);
        String name = operator.group(5);
        String head = "    " + comment + "\n    public " + (isAbstract ? "abstract " : "") + types
                + "SubstreamsFlow<I, K, " + operator.group(4) + ", M> " + name + "(" + operator.group(6) + ")";
        String call = "Flow.<O>create()." + types.strip().replaceAll(" extends \\w+", "") + name + "("
                + namesOf(operator.group(6)) + ")";
        return isAbstract ? head + ";\n" : head + " {\n        return via(" + call + ");\n    }\n";
    }

    /** The names of parameters: {@code long most, Map<A, B> all} gives {@code most, all}. */
    private static String namesOf(String parameters) {
        String plain = parameters;
        while (plain.contains("<")) {
            plain = TYPE_ARGUMENTS.matcher(plain).replaceAll("");
        }
        return Arrays.stream(plain.split(",", -1))
                .map(one -> one.substring(one.lastIndexOf(' ') + 1))
                .collect(Collectors.joining(", "));
    }

    private static String withoutIdleImports(String text) {
        String code = IMPORT.matcher(text).replaceAll("");
        return IMPORT.matcher(text)
                .replaceAll(found -> Pattern.compile("\\b" + found.group(1) + "\\b")
                                .matcher(code)
                                .find()
                        ? "$0"
                        : "");
    }

    /** Text without what the formatter decides: blanks, breaks, and the stars at the beginning of a comment's lines. */
    static String withoutLayout(String text) {
        return text.replaceAll("\\R\\s*\\*(?!/)", "").replaceAll("\\s+", "");
    }
}
