package io.millrace.broker.namespace;

import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.SettingValues;
import io.millrace.broker.setting.TextSetting;
import java.util.Map;

/**
 * What becomes of a topic that a client asks for and that there is not.
 *
 * @param partitions how many a partitioned one gets
 */
public record AutoTopics(Kind kind, int partitions) {
    /** What is made. */
    public enum Kind {
        NEVER("never"),
        NON_PARTITIONED("non-partitioned"),
        PARTITIONED("partitioned");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    private static final TextSetting KIND = new TextSetting(
            "auto-topics",
            "non-partitioned",
            "never, non-partitioned or partitioned",
            "What a topic becomes that a client uses and that there is not. Never: it is refused. A namespace may have a"
                    + " policy of its own.");

    private static final NumberSetting PARTITIONS = new NumberSetting(
            "auto-topic-partitions", 1, 1, 100_000, "Partitions of a topic that is made partitioned, by auto-topics.");

    public AutoTopics {
        PARTITIONS.require(partitions);
    }

    static AutoTopics of(SettingValues values) {
        return new AutoTopics(kind(values.text(KIND)), values.integer(PARTITIONS));
    }

    /** The same as these policies change it: they have the keys of the settings. */
    AutoTopics with(Map<String, String> policies) {
        String kind = policies.get(KIND.key());
        String partitions = policies.get(PARTITIONS.key());
        return new AutoTopics(
                kind == null ? this.kind : kind(kind),
                partitions == null ? this.partitions : Integer.parseInt(partitions));
    }

    private static Kind kind(String text) {
        for (Kind kind : Kind.values()) {
            if (kind.text.equals(text)) {
                return kind;
            }
        }
        throw KIND.refusal(text);
    }
}
