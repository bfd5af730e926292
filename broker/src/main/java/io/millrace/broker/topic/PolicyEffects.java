package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.Rate;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.topic.AppliedPolicies.Publishing;
import io.millrace.broker.topic.TopicCommand.AttachProducer;
import io.millrace.broker.topic.TopicCommand.BacklogMeasured;
import io.millrace.broker.topic.TopicCommand.ConsumersCounted;
import io.millrace.broker.topic.TopicCommand.PolicyCommand;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What policies have a topic do while it is open: it passes them on to those who keep to them, refuses clients that they do not
 * allow, and keeps the backlog within its quotas. Owned by the topic's control stage.
 */
final class PolicyEffects {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyEffects.class);

    private final TopicParts parts;
    private final TopicMailbox self;
    private final Clients clients;
    private final SharedRate.Timers timers;
    private AppliedPolicies policies = AppliedPolicies.NONE;
    private SubscribeRates subscribes = SubscribeRates.NONE;
    private SharedRate dispatch;
    private boolean measuring;
    /** Consumers that join one after the other, as those of the topic are counted for each. */
    private final ArrayDeque<Joining> counting = new ArrayDeque<>(0);

    /** Whether the subscriptions have been asked how many consumers they have, and have not answered. */
    private boolean isCountAsked;

    private boolean isRateLifted;
    private boolean isClosed;

    /** The clients of the topic. */
    record Clients(Producers producers, Subscriptions subscriptions) {}

    PolicyEffects(TopicParts parts, TopicMailbox self, Clients clients, SharedRate.Timers timers) {
        this.parts = parts;
        this.self = self;
        this.clients = clients;
        this.timers = timers;
        dispatch = new SharedRate(Rate.NONE, timers);
    }

    /** What to do with a producer once it is known to be within the quotas. */
    interface Admission {
        void attach(AttachProducer wanted);
    }

    void receive(PolicyCommand command, Admission admission) {
        if (command instanceof TopicCommand.Apply apply) {
            apply(apply.policies());
        } else if (command == TopicCommand.CheckBacklog.CHECK_BACKLOG) {
            check();
        } else if (command == TopicCommand.LiftRate.LIFT_RATE) {
            isRateLifted = true;
            publishing(policies.publishing());
        } else if (command instanceof BacklogMeasured measured) {
            measured(measured, admission);
        } else if (command instanceof ConsumersCounted counted) {
            counted(counted.count());
        } else if (command instanceof TopicCommand.LeaseAsked asked) {
            dispatch.sent(asked);
        }
    }

    private void apply(AppliedPolicies applied) {
        boolean isStored = parts.keeping().log() != null;
        AppliedPolicies wanted = isStored ? applied : applied.whereNothingIsStored();
        AppliedPolicies before = policies;
        policies = wanted;
        if (!wanted.publishing().equals(before.publishing())) {
            publishing(wanted.publishing());
        }
        clients.producers.throttle(!wanted.publishing().rate().isNone());
        if (!wanted.dispatch().topicRate().equals(before.dispatch().topicRate())) {
            dispatch.end();
            dispatch = new SharedRate(wanted.dispatch().topicRate(), timers);
        }
        if (isStored) {
            clients.subscriptions.policies.apply(wanted.dispatch());
        }
        if (!wanted.joins().rate().equals(before.joins().rate())) {
            subscribes = SubscribeRates.of(wanted.joins().rate());
        }
    }

    private void publishing(Publishing wanted) {
        parts.running().appending().policies().invoke(isRateLifted ? wanted.withoutRate() : wanted);
    }

    /** The topic closes: nothing that was published waits any longer, as it is to have its receipt first. */
    void close() {
        if (!policies.publishing().equals(Publishing.NONE)) {
            publishing(Publishing.NONE);
        }
        isClosed = true;
        counting.forEach(joining -> joining.fail(TopicMailbox.closed(parts.name())));
        counting.clear();
    }

    /** Admits a producer, at once or when the backlog is known to be within its quotas. */
    void attach(AttachProducer wanted, Admission admission) {
        CompletionStage<@Nullable BacklogExcess> excess = measured();
        if (excess == null) {
            admission.attach(wanted);
        } else {
            self.tellWhenDone(excess, wanted, found -> new BacklogMeasured(wanted, found));
        }
    }

    private void check() {
        CompletionStage<@Nullable BacklogExcess> excess = measuring ? null : measured();
        if (excess != null) {
            measuring = true;
            self.tellWhenDone(excess, null, found -> new BacklogMeasured(null, found));
        }
    }

    /** What is beyond the quotas; null if there are none. */
    private @Nullable CompletionStage<@Nullable BacklogExcess> measured() {
        TopicLog log = parts.keeping().log();
        return log == null || policies.quotas().isNone()
                ? null
                : BacklogExcess.of(log, policies.quotas(), parts.home().clock());
    }

    /** A backlog that could not be measured is taken to be within its quotas: whoever publishes hears what ails the log. */
    private void measured(BacklogMeasured measured, Admission admission) {
        BacklogExcess excess = measured.excess();
        AttachProducer wanted = measured.wanted();
        if (wanted == null) {
            measuring = false;
        }
        if (excess == null || (wanted != null && excess.quota().isEviction())) {
            if (wanted != null) {
                admission.attach(wanted);
            }
        } else if (wanted != null) {
            wanted.reply().completeExceptionally(excess.refusal(parts.name()));
        } else {
            exceeded(excess);
        }
    }

    private void exceeded(BacklogExcess excess) {
        if (excess.quota().isEviction()) {
            LOG.info("topic {}: the eldest of its backlog is acknowledged: {}", parts.name(), excess.what());
            clients.subscriptions.pass(new TopicCommand.Pass(excess.tooMuch(), false, new CompletableFuture<>()));
        } else if (clients.producers.leaveFor(excess.refusal(parts.name()))) {
            LOG.warn("topic {}: its producers are closed: the backlog is {}", parts.name(), excess.what());
        }
    }

    /** Has a consumer join, at once or when those that are there are counted. */
    void subscribe(Joining joining) {
        String refusal = subscribes.refusal(joining.request, timers.nanoTime());
        if (isClosed) {
            joining.fail(TopicMailbox.closed(parts.name()));
        } else if (refusal != null) {
            joining.fail(new BrokerException(ErrorKind.NOT_ALLOWED, refusal));
        } else if (policies.joins().maxConsumers() == 0 && counting.isEmpty()) {
            clients.subscriptions.subscribe(joining);
        } else {
            counting.add(joining);
            countNext();
        }
    }

    /** Whether a consumer waits until others are counted. */
    boolean isCounting() {
        return !counting.isEmpty();
    }

    /** Has the consumers of the topic counted for the next that joins, once those before it have joined or not. */
    void countNext() {
        if (isCountAsked || counting.isEmpty() || clients.subscriptions.policies.joining() > 0) {
            return;
        }
        isCountAsked = true;
        self.tellWhenDone(
                clients.subscriptions.consumption.figures(),
                (consumed, failure) -> new ConsumersCounted(
                        consumed == null
                                ? 0
                                : consumed.subscriptions().stream()
                                        .mapToInt(figures ->
                                                figures.stats().consumers().size())
                                        .sum()));
    }

    private void counted(int there) {
        isCountAsked = false;
        Joining joining = counting.poll();
        if (joining == null) {
            return;
        }
        int most = policies.joins().maxConsumers();
        if (most > 0 && there >= most) {
            joining.fail(new BrokerException(
                    ErrorKind.CONSUMER_BUSY,
                    "Topic reached max consumers limit: the policy of " + parts.name() + " allows " + most));
        } else {
            clients.subscriptions.subscribe(joining);
        }
        countNext();
    }
}
