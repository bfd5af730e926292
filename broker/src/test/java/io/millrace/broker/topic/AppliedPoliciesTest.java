package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.DispatchPolicy;
import io.millrace.broker.dispatch.Rate;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AppliedPoliciesTest {
    @Test
    void whatIsNotSetDoesNothing() {
        assertThat(AppliedPolicies.of(Map.of("other", "?"))).isSameAs(AppliedPolicies.NONE);
        assertThat(AppliedPolicies.of(Map.of(AppliedPolicies.PUBLISH_RATE, "-1,-1")))
                .isEqualTo(AppliedPolicies.NONE);
        assertThat(AppliedPolicies.of(Map.of(AppliedPolicies.SIZE_QUOTA, "-1,-1,producer_exception")))
                .isEqualTo(AppliedPolicies.NONE);
        assertThat(AppliedPolicies.of(Map.of(AppliedPolicies.DELAYS, "1000,true,0")))
                .isEqualTo(AppliedPolicies.NONE);
    }

    @Test
    void eachSaysWhatItIs() {
        AppliedPolicies policies = AppliedPolicies.of(Map.of(
                AppliedPolicies.SIZE_QUOTA,
                "1000,-1,consumer_backlog_eviction,1000",
                AppliedPolicies.AGE_QUOTA,
                "1000,60,producer_request_hold",
                AppliedPolicies.PUBLISH_RATE,
                "10,2000",
                AppliedPolicies.MAX_MESSAGE,
                "5",
                AppliedPolicies.DELAYS,
                "1000,false,7",
                AppliedPolicies.MAX_UNACKED_PER_CONSUMER,
                "0",
                AppliedPolicies.SUBSCRIPTION_RATE,
                "3,-1,false,2",
                AppliedPolicies.MAX_CONSUMERS,
                "4",
                AppliedPolicies.SUBSCRIBE_RATE,
                "1,30"));
        assertThat(policies.quotas().size())
                .isEqualTo(new BacklogQuota(1_000, BacklogQuota.Action.CONSUMER_BACKLOG_EVICTION));
        assertThat(policies.quotas().age()).isEqualTo(new BacklogQuota(60, BacklogQuota.Action.PRODUCER_REQUEST_HOLD));
        assertThat(policies.publishing()).isEqualTo(new AppliedPolicies.Publishing(new Rate(10, 2_000, 1), 5, 0));
        assertThat(policies.dispatch())
                .isEqualTo(new DispatchPolicy(0, DispatchPolicy.OF_BROKER, false, new Rate(3, 0, 2), Rate.NONE));
        assertThat(policies.joins()).isEqualTo(new AppliedPolicies.Joins(4, new Rate(1, 0, 30)));
    }

    @Test
    void theLongestDelayIsThatOfMessagesThatAreDelayed() {
        assertThat(AppliedPolicies.of(Map.of(AppliedPolicies.DELAYS, "1000,true,7"))
                        .publishing()
                        .maxDelayMillis())
                .isEqualTo(7);
    }

    @Test
    void oneThatIsNotValidIsNamed() {
        refused(AppliedPolicies.SIZE_QUOTA, "1000,-1,else", "else");
        refused(AppliedPolicies.SIZE_QUOTA, "1000", "1000");
        refused(AppliedPolicies.AGE_QUOTA, "1,soon,producer_exception", "soon");
        refused(AppliedPolicies.PUBLISH_RATE, "10", "10");
        refused(AppliedPolicies.DELAYS, "1000,perhaps,0", "perhaps");
        refused(AppliedPolicies.MAX_CONSUMERS, "many", "many");
    }

    /** As they were stored before they were refused: as long as that is as good as no limit. */
    @Test
    void numbersThatAreTooLargeAreTheLargest() {
        String large = "4294967297";
        AppliedPolicies policies = AppliedPolicies.of(Map.of(
                AppliedPolicies.MAX_CONSUMERS, large,
                AppliedPolicies.MAX_UNACKED_PER_CONSUMER, large,
                AppliedPolicies.MAX_UNACKED_PER_SUBSCRIPTION, large,
                AppliedPolicies.DISPATCH_RATE, "1,1,false," + large,
                AppliedPolicies.SUBSCRIBE_RATE, "1," + large));
        int most = Integer.MAX_VALUE;
        assertThat(policies.joins()).isEqualTo(new AppliedPolicies.Joins(most, new Rate(1, 0, most)));
        assertThat(policies.dispatch())
                .isEqualTo(new DispatchPolicy(most, most, true, Rate.NONE, new Rate(1, 1, most)));
    }

    private static void refused(String key, String value, String named) {
        assertThatThrownBy(() -> AppliedPolicies.of(Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key)
                .hasMessageContaining("'" + named + "'");
    }
}
