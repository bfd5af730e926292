package io.millrace.compatibility;

import io.millrace.compatibility.compare.Recordings;
import io.millrace.compatibility.language.Conversations;
import io.millrace.compatibility.language.Language;
import io.millrace.compatibility.language.LanguagePrograms;
import io.millrace.compatibility.language.LanguageThemes;
import io.millrace.compatibility.scenario.Run;
import io.millrace.compatibility.scenario.Target;
import io.millrace.compatibility.scenario.Theme;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The scenarios that need Python and Go: programs in them, and conversations of all three languages. */
record OtherLanguages(LanguagePrograms programs) {
    /** The names of their files of transcripts. */
    static List<String> files() {
        return Stream.concat(
                        Stream.of(Conversations.NAME),
                        LanguageThemes.all().stream().map(theme -> theme.name()))
                .toList();
    }

    /** Whether a scenario whose name begins so may be among them. */
    static boolean has(String beginning) {
        return files().stream().anyMatch(file -> file.startsWith(beginning) || beginning.startsWith(file + "."));
    }

    /** What is recorded of them. */
    static Map<String, Map<String, String>> recorded(Recordings recordings) throws IOException {
        Map<String, Map<String, String>> all = new LinkedHashMap<>();
        for (String file : files()) {
            all.putAll(recordings.read(file));
        }
        return all;
    }

    /** Writes what was told of all scenarios of their files; of a file of which nothing was told, nothing changes. */
    static void record(Recordings recordings, Map<String, Map<String, String>> told) throws IOException {
        for (String file : files()) {
            Map<String, Map<String, String>> of = Told.only(told, name -> name.startsWith(file + "."));
            if (!of.isEmpty()) {
                Map<String, Map<String, String>> all = recordings.read(file);
                all.putAll(of);
                recordings.write(file, all);
            }
        }
    }

    /** Runs those whose names begin so against a broker, and returns what they told. */
    Map<String, Map<String, String>> told(Target target, String only) throws Exception {
        Map<String, Map<String, String>> told = new LinkedHashMap<>();
        try (Conversations conversations = Conversations.with(programs, target)) {
            Theme theme = new Theme(Conversations.NAME, "", "", conversations::declare);
            told.putAll(Told.by(
                    new Run(target),
                    theme.scenarios().stream()
                            .filter(scenario -> scenario.name().startsWith(only))
                            .toList()));
        }
        for (Language language : Language.values()) {
            told.putAll(programs.told(language, target, only));
        }
        return told;
    }
}
