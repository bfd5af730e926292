package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.Dispatchers;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SeekTarget;
import io.millrace.broker.dispatch.SkipTarget;
import io.millrace.broker.inspect.SubscriptionSnapshot;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.graph.Done;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An open topic. Thread-safe; every request is answered later, by a stage of the topic, and fails with a
 * {@link io.millrace.broker.dispatch.BrokerException}.
 */
public final class Topic {
    private final TopicName name;
    private final @Nullable TopicLog log;
    private final TopicStage.Running control;
    private final TopicRules rules;

    Topic(TopicName name, @Nullable TopicLog log, TopicStage.Running control) {
        this(name, log, control, TopicRules.NONE);
    }

    private Topic(TopicName name, @Nullable TopicLog log, TopicStage.Running control, TopicRules rules) {
        this.name = name;
        this.log = log;
        this.control = control;
        this.rules = rules;
    }

    /** The same topic for clients under these rules. */
    public Topic under(TopicRules wanted) {
        return wanted.equals(rules) ? this : new Topic(name, log, control, wanted);
    }

    public TopicName name() {
        return name;
    }

    /** Admits a producer; its link is told the outcome of every publish made through the handle. */
    public CompletionStage<ProducerHandle> attach(ProducerLink link, ProducerOptions options) {
        return control.mailbox().ask(reply -> new TopicCommand.AttachProducer(link, options, rules, reply));
    }

    /**
     * The same with the caller's own reply. The caller may fail it to withdraw the request, for example of a producer
     * that waits: no producer is attached then.
     */
    public void attach(ProducerLink link, ProducerOptions options, CompletableFuture<ProducerHandle> reply) {
        control.mailbox().tell(new TopicCommand.AttachProducer(link, options, rules, reply), reply);
    }

    /** Attaches a consumer to a subscription, which is created on first use. */
    public CompletionStage<SubscriptionHandle> subscribe(SubscribeRequest request) {
        return control.mailbox().ask(reply -> new TopicCommand.Subscribe(request, rules, reply));
    }

    /** Creates a durable subscription of that name, without a consumer; an existing one stays as it is. */
    public CompletionStage<Void> createSubscription(String subscription, StartAt start) {
        return createSubscription(subscription, NewSubscription.at(start));
    }

    /** The same of a subscription with properties. */
    public CompletionStage<Void> createSubscription(String subscription, NewSubscription ifNew) {
        return createSubscription(subscription, ifNew, TopicCommand.Asker.ADMINISTRATOR);
    }

    /**
     * The same for a producer that wants one from the topic's start before it sends; refused where the policy does not
     * have clients make any.
     */
    public CompletionStage<Void> createSubscriptionForProducer(String subscription) {
        return createSubscription(subscription, NewSubscription.at(StartAt.EARLIEST), TopicCommand.Asker.CLIENT);
    }

    private CompletionStage<Void> createSubscription(
            String subscription, NewSubscription ifNew, TopicCommand.Asker asker) {
        return control.mailbox()
                .ask(reply -> new TopicCommand.CreateSubscription(subscription, ifNew, rules, asker, reply));
    }

    /** Replaces what users say of a subscription that there is; of a durable one, done when that is durable. */
    public CompletionStage<Void> setProperties(String subscription, Map<String, String> properties) {
        return control.mailbox()
                .ask(reply -> new TopicCommand.SetProperties(subscription, Map.copyOf(properties), reply));
    }

    /** Done if {@link #createSubscription} would be: nothing refuses a subscription of that name. */
    public CompletionStage<Void> requireCreatable(String subscription, NewSubscription ifNew) {
        return control.mailbox().ask(reply -> new TopicCommand.CheckSubscription(subscription, ifNew, rules, reply));
    }

    /** The subscriptions that are in use, by consumers or until a while ago. */
    public CompletionStage<List<SubscriptionSnapshot>> subscriptions() {
        return figures()
                .thenApply(figures -> figures.subscriptions().stream()
                        .map(each -> new SubscriptionSnapshot(
                                name.full(),
                                each.name(),
                                each.stats().consumers().size(),
                                each.stats().unackedMessages() + each.stats().waitingEntries()))
                        .toList());
    }

    /** Who publishes and which subscriptions are in use. */
    public CompletionStage<TopicFigures> figures() {
        return control.mailbox().figures();
    }

    /**
     * Completes once the topic has acted on what it and its subscriptions were told before: by asking twice, as what the subscriptions tell the
     * topic for that is heard before the second question.
     */
    CompletionStage<Void> settled() {
        return control.mailbox()
                .askFigures()
                .handle((first, closed) -> control.mailbox().askFigures())
                .thenCompose(second -> second)
                .handle((figures, closed) -> null);
    }

    /** The names of its subscriptions: the durable ones, and those that are in use. */
    public CompletionStage<NavigableSet<String>> subscriptionNames() {
        return figures().thenApply(figures -> {
            NavigableSet<String> names = new TreeSet<>(log == null ? List.of() : log.cursorNames());
            figures.subscriptions().forEach(each -> names.add(each.name()));
            return names;
        });
    }

    /** Removes a subscription; while consumers are connected to it, only by force, which closes them. */
    public CompletionStage<Void> deleteSubscription(String subscription, boolean force) {
        return control.mailbox().ask(reply -> new TopicCommand.DeleteSubscription(subscription, force, reply));
    }

    /** Moves a subscription that there is; its consumers are closed and come back. */
    public CompletionStage<Void> seek(String subscription, SeekTarget target) {
        return control.mailbox().ask(reply -> new TopicCommand.SeekSubscription(subscription, target, reply));
    }

    /** Acknowledges what comes first on a subscription that there is; its consumers stay. */
    public CompletionStage<Void> skip(String subscription, SkipTarget target) {
        return this.<Void>ask(subscription, reply -> new DispatcherCommand.Skip(target, reply));
    }

    /** Where the last of so many entries is that a subscription has not acknowledged; that of its mark if it has fewer. */
    public CompletionStage<Position> locate(String subscription, long count) {
        return this.<Position>ask(subscription, reply -> new DispatcherCommand.Locate(count, reply));
    }

    /**
     * Reads what a subscription that there is has not acknowledged, up to a number of entries, and counts it.
     *
     * @param from where to begin, also before its mark; at the first that is not acknowledged if null
     */
    public CompletionStage<BacklogFigures> analyze(String subscription, @Nullable Position from) {
        return this.<CursorState>ask(subscription, DispatcherCommand.Acknowledged::new)
                .thenCompose(state -> BacklogAnalysis.of(requireLog(), state, from));
    }

    @SuppressWarnings("unchecked")
    private <R> CompletionStage<R> ask(
            String subscription, Function<CompletableFuture<R>, DispatcherCommand> question) {
        return control.mailbox()
                .ask(reply -> new TopicCommand.AskSubscription(
                        subscription, answer -> question.apply((CompletableFuture<R>) answer), reply));
    }

    /** Has these policies apply from now on, before anything that it is asked later. */
    public void apply(AppliedPolicies policies) {
        control.mailbox().tell(new TopicCommand.Apply(policies));
    }

    /** Has what is published wait for no rate any more, as the broker closes. */
    void liftPublishRate() {
        control.mailbox().tell(TopicCommand.LiftRate.LIFT_RATE);
    }

    /** Compares the backlog with its quotas, if there are any, and does what they say beyond them. */
    public void checkBacklog() {
        control.mailbox().tell(TopicCommand.CheckBacklog.CHECK_BACKLOG);
    }

    /**
     * Acknowledges what was published before that time, on every subscription; done when that is durable.
     *
     * @throws BrokerException if the topic stores nothing
     */
    public CompletionStage<Void> expire(long publishedBeforeMillis) {
        return Expiry.of(this, requireLog(), publishedBeforeMillis);
    }

    /** The same up to and with that position, on these subscriptions; one that nobody uses is not opened for that. */
    public CompletionStage<Void> expire(List<String> names, Position last) {
        return pass(names, last, true);
    }

    /** The same of messages that have not expired. */
    public CompletionStage<Void> skip(List<String> names, Position last) {
        return pass(names, last, false);
    }

    private CompletionStage<Void> pass(List<String> names, Position last, boolean isExpiry) {
        Map<String, Position> each = new HashMap<>();
        names.forEach(name -> each.put(name, last));
        return control.mailbox().ask(reply -> new TopicCommand.Pass(each, isExpiry, reply));
    }

    /**
     * The entry at that position, retained for the caller; nothing if there is none.
     *
     * @throws BrokerException if the topic stores nothing
     */
    public CompletionStage<Optional<Entry>> entry(Position position) {
        return requireLog()
                .read(List.of(position))
                .thenApply(found -> found.stream().findFirst());
    }

    /** The position of the first entry that was published then or later, or else the one after the last. */
    public CompletionStage<Position> findByTime(long publishTimeMillis) {
        return requireLog().findByTime(publishTimeMillis);
    }

    /** The position right before the entry at that one, as a subscription's mark has it. */
    public Position before(Position position) {
        return Dispatchers.startingAt(requireLog(), position);
    }

    /** The position of the entry that so many others come before, of those that are kept; at most the one after the last. */
    public Position nth(long count) {
        TopicLog stored = requireLog();
        return stored.positionAfter(count);
    }

    /** How many entries are kept; 0 if it stores nothing. */
    public long entries() {
        return log == null ? 0 : log.entriesBetween(Position.BEFORE_ALL, SeekTarget.LATEST);
    }

    private TopicLog requireLog() {
        if (log == null) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, name + " stores nothing that could be read");
        }
        return log;
    }

    /** Whether it has no producer, no consumer but those that take any schema, and no messages. */
    public CompletionStage<Boolean> isUnused() {
        return log == null || isEmpty(log)
                ? figures().thenApply(TopicFigures::takesAnySchema)
                : CompletableFuture.completedFuture(false);
    }

    private static boolean isEmpty(TopicLog log) {
        return log.lastEntryOf(log.lastDurable().ledgerId()) < 0;
    }

    /** The last entry that is durable and kept; a topic that stores nothing has none. */
    public CompletionStage<LastMessage> lastMessage() {
        return LastMessage.of(log);
    }

    /** Closes it: accepted publishes and acknowledgements get their receipts first. */
    public CompletionStage<Void> close() {
        return control.mailbox().<Void>ask(TopicCommand.Close::new).exceptionally(alreadyClosed -> null);
    }

    TopicMailbox mailbox() {
        return control.mailbox();
    }

    /** Its part of the log, which is not to be used beyond this topic's life; null if it stores nothing. */
    public @Nullable TopicLog log() {
        return log;
    }

    /** Completes when the topic is closed, by request or by a failure. */
    CompletionStage<Done> stopped() {
        return control.stopped();
    }
}
