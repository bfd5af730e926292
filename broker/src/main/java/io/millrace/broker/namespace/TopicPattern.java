package io.millrace.broker.namespace;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.topic.TopicName;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression of a client over the names of topics, without their scheme and without the partition. It comes from
 * anybody, so it is matched in time that grows with the name alone, and one that takes too many steps for each character is
 * not matched here.
 */
final class TopicPattern {

    /** Steps for each character of a name, at most. */
    private static final long MAX_STEPS = 1_000;

    /** A class of Unicode, as {@code \\pL}, is compiled to some hundred ranges, each time that it is there. */
    private static final int CLASS_STEPS = 400;

    private static final int STEP_BYTES = 100;
    private static final java.util.regex.Pattern UNICODE_CLASS = java.util.regex.Pattern.compile("\\\\[pP]");
    private static final String SCHEME_END = "://";
    private static final java.util.regex.Pattern REPETITION =
            java.util.regex.Pattern.compile("\\{(\\d{1,6})(?:,(\\d{0,6}))?}");

    private final Pattern pattern;
    private final long steps;

    private TopicPattern(Pattern pattern, long steps) {
        this.pattern = pattern;
        this.steps = steps;
    }

    /**
     * The pattern; null if it is one that is not matched here: too large, or not one of RE2.
     *
     * @throws BrokerException if it begins with the scheme of no topic
     */
    static @Nullable TopicPattern of(String text) {
        String plain = withoutScheme(text);
        long steps = steps(plain);
        if (steps > MAX_STEPS) {
            return null;
        }
        try {
            return new TopicPattern(Pattern.compile(plain), steps);
        } catch (PatternSyntaxException notOfRe2) {
            return null;
        }
    }

    /** What it takes of the heap, about. */
    long bytes() {
        return steps * STEP_BYTES;
    }

    /** Whether it matches the name of that topic; of a partition, the name of the whole. */
    boolean matches(String fullName) {
        int scheme = fullName.indexOf(SCHEME_END) + SCHEME_END.length();
        return pattern.matches(TopicName.wholeOf(fullName).substring(scheme));
    }

    private static String withoutScheme(String text) {
        int at = text.indexOf(SCHEME_END);
        if (at < 0) {
            return text;
        }
        String rest = text.substring(at + SCHEME_END.length());
        for (TopicName.Domain domain :
                new TopicName.Domain[] {TopicName.Domain.NON_PERSISTENT, TopicName.Domain.PERSISTENT}) {
            String begin = text.substring(0, at + SCHEME_END.length());
            if (begin.endsWith(domain.scheme())) {
                return begin.substring(0, begin.length() - domain.scheme().length()) + rest;
            }
        }
        throw new BrokerException(
                ErrorKind.INVALID_TOPIC_NAME, "Invalid topics pattern: there is no such topic domain: " + text);
    }

    /** An upper bound: a repetition is compiled as so many copies, also within another. */
    private static long steps(String text) {
        long steps = text.length()
                + CLASS_STEPS * UNICODE_CLASS.matcher(text).results().count();
        Matcher repetition = REPETITION.matcher(text);
        while (repetition.find() && steps <= MAX_STEPS) {
            String most = repetition.group(2) == null || repetition.group(2).isEmpty()
                    ? repetition.group(1)
                    : repetition.group(2);
            steps *= Math.max(1, Long.parseLong(most));
        }
        return steps;
    }
}
