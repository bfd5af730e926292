package io.millrace.broker.schema;

import io.millrace.broker.setting.SettingValues;
import io.millrace.broker.setting.TextSetting;
import java.util.Map;

/**
 * What a topic's schemas have to comply with: by the broker's settings, over which stand policies of the namespace and of
 * the topic, under the same keys.
 *
 * @param compatibility which change may follow which
 * @param isEnforced whether a producer without a schema is refused where the topic has one
 * @param takesNew whether clients may bring schemas that the topic does not have
 */
public record SchemaPolicy(Compatibility compatibility, boolean isEnforced, boolean takesNew) {
    private static final String TRUE_OR_FALSE = "true or false";

    private static final TextSetting COMPATIBILITY = new TextSetting(
            "schema-compatibility",
            "FULL",
            "UNDEFINED, ALWAYS_INCOMPATIBLE, ALWAYS_COMPATIBLE, BACKWARD, FORWARD, FULL, BACKWARD_TRANSITIVE,"
                    + " FORWARD_TRANSITIVE or FULL_TRANSITIVE",
            "Which schema may follow which in a topic: by Backward the new one reads what the latest wrote, by Forward the"
                    + " other way round, by Full both; Transitive means every version. A namespace and a topic may have a"
                    + " policy of their own.");

    private static final TextSetting ENFORCED = new TextSetting(
            "schema-validation-enforced",
            "false",
            TRUE_OR_FALSE,
            "Whether a producer without a schema is refused where the topic has one. A namespace and a topic may have a"
                    + " policy of their own.");

    private static final TextSetting TAKES_NEW = new TextSetting(
            "schema-auto-update",
            "true",
            TRUE_OR_FALSE,
            "Whether producers and consumers may bring schemas that the topic does not have; otherwise only those are"
                    + " taken that were set before. A namespace and a topic may have a policy of their own.");

    public SchemaPolicy {
        compatibility = compatibility == Compatibility.UNDEFINED ? Compatibility.FULL : compatibility;
    }

    static SchemaPolicy of(SettingValues values) {
        return new SchemaPolicy(
                compatibility(values.text(COMPATIBILITY)),
                flag(ENFORCED, values.text(ENFORCED)),
                flag(TAKES_NEW, values.text(TAKES_NEW)));
    }

    /**
     * The same as these policies change it; those of other keys are not looked at.
     *
     * @throws IllegalArgumentException naming key, value and range, if one is not valid
     */
    public SchemaPolicy with(Map<String, String> policies) {
        Compatibility changed = compatibility(policies.getOrDefault(COMPATIBILITY.key(), compatibility.name()));
        return new SchemaPolicy(
                changed == Compatibility.UNDEFINED ? compatibility : changed,
                flag(ENFORCED, policies.getOrDefault(ENFORCED.key(), Boolean.toString(isEnforced))),
                flag(TAKES_NEW, policies.getOrDefault(TAKES_NEW.key(), Boolean.toString(takesNew))));
    }

    /** What it says by the keys of policies, for who asks what applies. */
    public Map<String, String> byKey() {
        return Map.of(
                COMPATIBILITY.key(), compatibility.name(),
                ENFORCED.key(), Boolean.toString(isEnforced),
                TAKES_NEW.key(), Boolean.toString(takesNew));
    }

    /** Whether that is the key of such a policy. */
    public static boolean isKey(String key) {
        return key.equals(COMPATIBILITY.key()) || key.equals(ENFORCED.key()) || key.equals(TAKES_NEW.key());
    }

    /** The key of which change may follow which. */
    public static String compatibilityKey() {
        return COMPATIBILITY.key();
    }

    /** The key of what lets clients bring schemas, for messages. */
    public static String takesNewKey() {
        return TAKES_NEW.key();
    }

    /** The key of what refuses producers without a schema, for messages. */
    public static String enforcedKey() {
        return ENFORCED.key();
    }

    private static Compatibility compatibility(String text) {
        Compatibility found = Compatibility.parse(text);
        if (found == null) {
            throw COMPATIBILITY.refusal(text);
        }
        return found;
    }

    private static boolean flag(TextSetting setting, String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw setting.refusal(text);
        }
        return text.equals("true");
    }
}
