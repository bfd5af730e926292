package io.millrace.docs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.BrokerConfig;
import io.millrace.broker.setting.Setting;
import io.millrace.docs.tidy.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The example file and the table of settings are made of the descriptions by which the broker reads its settings. Run with
 * {@code -DextraJvmArgs=-Dmillrace.docs.write=true} it writes both.
 */
class SettingsTest {
    private static final Path EXAMPLE = Path.of("conf", "millrace.properties");
    private static final Path PAGE = Path.of("docs", "guides", "settings.md");
    private static final String TABLE_START = "<!-- settings -->\n";
    private static final String TABLE_END = "<!-- end of settings -->";
    private static final int LINE_CHARS = 120;

    @Test
    void theExampleFileIsMadeOfTheDescriptions() throws IOException {
        String head = comment("Millrace configuration: every key with its default. Start with:"
                        + " bin/millrace serve --config conf/millrace.properties")
                + comment(
                        "Command line flags win over this file. Numbers are whole, '_' may separate their digits; sizes"
                                + " are in bytes.");
        String body = BrokerConfig.settings().stream()
                .map(setting -> "\n" + comment(setting.meaning()) + comment("Allowed: " + setting.range() + ".")
                        + setting.key() + "=" + setting.defaultText() + "\n")
                .collect(Collectors.joining());
        assertOrWrite(EXAMPLE, head + body);
    }

    @Test
    void theTableIsMadeOfTheDescriptions() throws IOException {
        String page = Files.readString(Repository.open().root().resolve(PAGE));
        int start = page.indexOf(TABLE_START) + TABLE_START.length();
        int end = page.indexOf(TABLE_END);
        assertThat(end).as("%s has its table between its two marks", PAGE).isGreaterThanOrEqualTo(start);
        String rows = BrokerConfig.settings().stream()
                .map(setting -> "| `" + setting.key() + "` | " + code(setting.defaultText()) + " | " + setting.range()
                        + " | " + setting.meaning() + " |\n")
                .collect(Collectors.joining());
        String table = "| key | default | allowed | what it does |\n|---|---|---|---|\n" + rows;
        assertOrWrite(PAGE, page.substring(0, start) + table + page.substring(end));
    }

    @Test
    void everySettingHasAKeyOfItsOwnAndSaysWhatItDoes() {
        List<Setting> settings = BrokerConfig.settings();
        assertThat(settings).extracting(Setting::key).doesNotHaveDuplicates().allMatch(key -> key.matches("[a-z-]+"));
        assertThat(settings).extracting(Setting::meaning).allMatch(meaning -> meaning.matches("[A-Z].*\\."));
    }

    private static void assertOrWrite(Path file, String made) throws IOException {
        Path there = Repository.open().root().resolve(file);
        if (Boolean.getBoolean("millrace.docs.write")) {
            Files.writeString(there, made);
        }
        assertThat(Files.readString(there))
                .as("%s is as its descriptions; write it with -DextraJvmArgs=-Dmillrace.docs.write=true", file)
                .isEqualTo(made);
    }

    private static String code(String value) {
        return value.isEmpty() ? "" : "`" + value + "`";
    }

    private static String comment(String words) {
        StringBuilder lines = new StringBuilder();
        StringBuilder line = new StringBuilder("#");
        for (String word : words.split(" ", -1)) {
            if (line.length() + 1 + word.length() > LINE_CHARS) {
                lines.append(line).append('\n');
                line = new StringBuilder("#");
            }
            line.append(' ').append(word);
        }
        return lines.append(line).append('\n').toString();
    }
}
