package io.millrace.compatibility.language;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import io.millrace.compatibility.scenario.Target;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Values that one language publishes and another one consumes, of every kind of schema that both have. Its scenarios are those of a
 * broker: the processes of the other languages are connected to it.
 */
public final class Conversations implements AutoCloseable {
    /** The name of the theme. */
    public static final String NAME = "schema-languages";

    private static final List<String> OF_ALL =
            List.of("bytes", "string", "avro", "json", "protobuf-native", "avro-2", "json-2");
    private static final List<String> OF_GO = List.of("int8", "int16", "int32", "int64", "float", "double", "protobuf");

    private final Map<String, Party> parties;

    private Conversations(Map<String, Party> parties) {
        this.parties = parties;
    }

    /** With processes that are connected to that broker. */
    public static Conversations with(LanguagePrograms programs, Target target) throws IOException {
        Map<Language, Party> others = new EnumMap<>(Language.class);
        for (Language language : Language.values()) {
            others.put(language, new OtherParty(programs.speaker(language, target)));
        }
        return new Conversations(
                Map.of("java", new JavaParty(), "python", others.get(Language.PYTHON), "go", others.get(Language.GO)));
    }

    /** Adds the scenarios. */
    public void declare(Scenarios scenarios) {
        for (String from : List.of("java", "python", "go")) {
            for (String to : List.of("java", "python", "go")) {
                if (!from.equals(to)) {
                    OF_ALL.forEach(kind -> add(scenarios, kind, from, to));
                }
            }
        }
        OF_GO.forEach(kind -> add(scenarios, kind, "java", "go"));
        OF_GO.forEach(kind -> add(scenarios, kind, "go", "java"));
        for (String to : List.of("python", "go")) {
            for (String kind : List.of("inline", "separated")) {
                scenarios.add("key-value." + kind + ".java-to-" + to, context -> keyValue(context, kind, to));
            }
        }
    }

    private void add(Scenarios scenarios, String kind, String from, String to) {
        scenarios.add(kind + "." + from + "-to-" + to, context -> speak(context, kind, from, to));
        if (kind.equals("avro") || kind.equals("json")) {
            scenarios.add(
                    kind + ".old-" + from + "-new-" + to, context -> evolve(context, kind, kind + "-2", from, to));
            scenarios.add(
                    kind + ".new-" + from + "-old-" + to, context -> evolve(context, kind + "-2", kind, from, to));
        }
    }

    private void speak(Context context, String kind, String from, String to) throws Exception {
        String topic = context.topic("t");
        context.say("publish", party(from).ask(context, "publish", kind, topic));
        context.say("consume", party(to).ask(context, "consume", kind, topic));
        context.say("read", party(to).ask(context, "read", kind, topic));
        context.say("view", party(to).ask(context, "view", kind, topic));
        context.say("publish back", party(to).ask(context, "publish", kind, topic));
    }

    private void evolve(Context context, String written, String read, String from, String to) throws Exception {
        String topic = context.topic("t");
        context.say("publish", party(from).ask(context, "publish", written, topic));
        context.say("consume", party(to).ask(context, "consume", read, topic));
        context.say("publish the other", party(to).ask(context, "publish", read, topic));
        context.say("of any schema", party("java").ask(context, "consume", "any", topic));
    }

    private void keyValue(Context context, String kind, String to) throws Exception {
        String topic = context.topic("t");
        context.say("publish", party("java").ask(context, "publish", kind, topic));
        context.say("consume", party(to).ask(context, "raw", "bytes", topic));
    }

    private Party party(String language) {
        Party party = parties.get(language);
        if (party == null) {
            throw new IllegalArgumentException("nobody speaks " + language);
        }
        return party;
    }

    @Override
    public void close() {
        parties.values().forEach(Party::end);
    }
}
