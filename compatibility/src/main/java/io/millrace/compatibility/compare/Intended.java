package io.millrace.compatibility.compare;

import java.util.regex.Pattern;

/**
 * Lines that differ on purpose.
 *
 * @param scenarios which scenarios, as a glob: {@code *} is any text
 * @param keys which keys of theirs, as a glob
 * @param millrace what Millrace tells there, as a glob
 * @param reason why
 */
public record Intended(String scenarios, String keys, String millrace, String reason) {
    /** Whether it means this difference. */
    public boolean covers(Difference difference) {
        return isOf(difference.scenario())
                && matches(keys, difference.key())
                && matches(millrace, difference.millrace());
    }

    /** Whether it is about this scenario, among others. */
    public boolean isOf(String scenario) {
        return matches(scenarios, scenario);
    }

    private static boolean matches(String glob, String text) {
        String[] parts = glob.split("\\*", -1);
        StringBuilder pattern = new StringBuilder(Pattern.quote(parts[0]));
        for (int i = 1; i < parts.length; i++) {
            pattern.append(".*").append(Pattern.quote(parts[i]));
        }
        return Pattern.matches(pattern.toString(), text);
    }

    @Override
    public String toString() {
        return scenarios + " | " + keys + " | " + millrace;
    }
}
