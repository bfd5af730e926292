package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.SubscriptionType;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicRulesTest {
    @Test
    void nearerPoliciesComeBeforeThoseBehind() {
        TopicRules ofNamespace =
                TopicRules.NONE.with(Map.of(TopicRules.MAX_PRODUCERS, "9", TopicRules.TYPES, "Shared", "other", "?"));
        TopicRules ofTopic = ofNamespace.with(Map.of(TopicRules.MAX_PRODUCERS, "2", TopicRules.JOIN_MAKES, "false"));
        assertThat(ofTopic.maxProducers()).isEqualTo(2);
        assertThat(ofTopic.types()).containsExactly(SubscriptionType.SHARED);
        assertThat(ofTopic.joinMakes()).isFalse();
        assertThat(ofTopic.maxSubscriptions()).isZero();
        assertThat(ofTopic.with(Map.of(TopicRules.MAX_PRODUCERS, "0")).maxProducers())
                .isZero();
        assertThat(ofTopic.with(Map.of())).isSameAs(ofTopic);
    }

    @Test
    void noTypesMeanAll() {
        assertThat(TopicRules.NONE.with(Map.of(TopicRules.TYPES, ""))).isEqualTo(TopicRules.NONE);
    }

    @Test
    void aPolicyThatIsNotValidIsNamed() {
        refused(TopicRules.MAX_CONSUMERS, "-1");
        refused(TopicRules.MAX_CONSUMERS, "many");
        refused(TopicRules.MAX_SUBSCRIPTIONS, "99999999999");
        refused(TopicRules.TYPES, "Shared,Other");
        refused(TopicRules.TYPES, "Shared,");
        refused(TopicRules.JOIN_MAKES, "yes");
    }

    private static void refused(String key, String value) {
        assertThatThrownBy(() -> TopicRules.NONE.with(Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key)
                .hasMessageContaining("'" + value + "'");
    }
}
