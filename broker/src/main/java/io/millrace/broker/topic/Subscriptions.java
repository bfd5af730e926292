package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.stage.StageActorRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of a topic that are in use, by name; a durable one that nobody uses is only a cursor in the log.
 * Owned by the topic's control stage, to which every answer comes back as a {@link TopicCommand.SubscriptionEvent}.
 */
final class Subscriptions {
    private final TopicParts parts;
    private final TopicKeeping keeping;
    private final TopicMailbox self;
    private final Materializer runtime;
    private final Map<String, SubscriptionSlot> byName = new HashMap<>();
    final UnusedSubscriptions unused;
    private final SubscriptionQuestions questions;
    final Consumption consumption = new Consumption(byName.values());
    /** What policies have all of them do. */
    final DispatchPolicies policies;

    /** Those that wait for the removal of a subscription that is gone by now. */
    private final List<CompletableFuture<Void>> removed = new ArrayList<>(0);

    private boolean closing;

    Subscriptions(TopicParts parts, TopicMailbox self, Materializer runtime, SharedRate.Timers timers) {
        this.parts = parts;
        this.keeping = parts.keeping();
        this.self = self;
        this.runtime = runtime;
        policies = new DispatchPolicies(self, byName.values());
        unused = new UnusedSubscriptions(parts, self, timers);
        questions = new SubscriptionQuestions(keeping, this);
    }

    /** Attaches a consumer to its subscription, which is opened or created if needed. */
    void subscribe(Joining joining) {
        SubscribeRequest request = joining.request;
        SubscriptionSlot subscription = byName.get(request.subscription());
        try {
            joining.rules.requireType(parts.name(), request.consumer().type());
            boolean isThere = requireAllowed(request.subscription(), request.durable(), subscription, joining.rules);
            joining.rules.requireThere(parts.name(), request.subscription(), isThere || !request.durable());
            if (subscription == null) {
                SubscriptionSlot added = add(request.subscription(), request.durable(), isThere, request.ifNew());
                added.waiting.add(joining);
                open(added);
                return;
            }
        } catch (BrokerException e) {
            joining.fail(e);
            return;
        }
        if (subscription.dispatcher != null && subscription.state == SubscriptionSlot.State.RUNNING) {
            attach(subscription, joining, subscription.dispatcher);
        } else {
            subscription.waiting.add(joining);
        }
    }

    /** Opens or creates a durable subscription without a consumer, so that the first consumer meets no other. */
    void create(TopicCommand.CreateSubscription wanted) {
        SubscriptionSlot subscription = byName.get(wanted.subscription());
        try {
            wanted.requireThere(subscription != null || keeping.has(wanted.subscription()));
            boolean isThere = requireAllowed(wanted.subscription(), true, subscription, wanted.rules());
            wanted.requirePermitted(parts.name(), isThere);
            if (subscription == null) {
                SubscriptionSlot added = add(wanted.subscription(), true, isThere, wanted.ifNew());
                added.creating.add(wanted);
                open(added);
                return;
            }
        } catch (BrokerException e) {
            wanted.reply().completeExceptionally(e);
            return;
        }
        if (subscription.state == SubscriptionSlot.State.RUNNING) {
            wanted.reply().complete(null);
        } else {
            subscription.creating.add(wanted);
        }
    }

    /** Refuses a durable subscription that {@link #create} would refuse. */
    void check(TopicCommand.CheckSubscription wanted) {
        try {
            String name = wanted.subscription();
            boolean isThere = requireAllowed(name, true, byName.get(name), wanted.rules());
            requireRoom(isInLog(true) && !isThere, wanted.ifNew());
            wanted.reply().complete(null);
        } catch (BrokerException e) {
            wanted.reply().completeExceptionally(e);
        }
    }

    /** Removes a subscription if its dispatcher agrees, and then its cursor. */
    void unsubscribe(TopicCommand.Unsubscribe command) {
        SubscriptionSlot subscription = byName.get(command.subscription());
        CompletableFuture<Void> reply = command.request().reply();
        if (subscription == null || subscription.dispatcher != command.dispatcher()) {
            reply.completeExceptionally(new BrokerException(
                    ErrorKind.SUBSCRIPTION_NOT_FOUND,
                    "topic " + parts.name() + " has no subscription " + command.subscription() + " any more"));
        } else if (subscription.unsubscribing != null || subscription.isEnding()) {
            reply.completeExceptionally(new BrokerException(
                    ErrorKind.SERVICE_NOT_READY, "subscription " + subscription.name + " is being removed already"));
        } else {
            subscription.unsubscribing = reply;
            CompletableFuture<Void> answer = new CompletableFuture<>();
            self.tellWhenDone(answer, (done, failure) -> new TopicCommand.UnsubscribeAnswered(subscription, failure));
            command.dispatcher()
                    .tell(new DispatcherCommand.Unsubscribe(
                            command.request().link(), command.request().force(), answer));
        }
    }

    void onEvent(TopicCommand.SubscriptionEvent event) {
        if (event instanceof TopicCommand.Opened opened) {
            onOpened(opened);
        } else if (event instanceof TopicCommand.AttachAnswered answered) {
            onAttachAnswered(answered);
        } else if (event instanceof TopicCommand.DispatcherStopped stopped) {
            onDispatcherStopped(stopped.subscription(), stopped.dispatcher());
        } else if (event instanceof TopicCommand.UnsubscribeAnswered answered) {
            onUnsubscribeAnswered(answered.subscription(), answered.failure());
        } else if (event instanceof TopicCommand.CursorDeleted deleted) {
            onCursorDeleted(deleted.subscription(), deleted.failure());
        } else if (event instanceof TopicCommand.Deserted deserted) {
            SubscriptionSlot subscription = deserted.subscription();
            subscription.deserted |= subscription.openings == deserted.opening();
        } else if (event instanceof TopicCommand.GoesOn goesOn) {
            onGoesOn(goesOn.subscription());
        }
        unused.look(event.subscription());
        unused.makeRoom();
    }

    /** Removes a subscription for an administrator, whether it is in use or only a cursor. */
    void delete(TopicCommand.DeleteSubscription wanted) {
        String name = wanted.subscription();
        SubscriptionSlot subscription = byName.get(name);
        if (subscription != null && subscription.isOpeningOrClosing() && subscription.durable) {
            questions.onceOpen(name, wanted.reply(), () -> delete(wanted));
        } else if (subscription != null && subscription.dispatcher != null) {
            unsubscribe(new TopicCommand.Unsubscribe(
                    name,
                    subscription.dispatcher,
                    new DispatcherCommand.Unsubscribe(null, wanted.force(), wanted.reply())));
        } else if (subscription != null) {
            wanted.reply().completeExceptionally(SubscriptionQuestions.opening(name));
        } else if (closing || !keeping.has(name)) {
            wanted.reply()
                    .completeExceptionally(
                            closing ? TopicMailbox.closed(parts.name()) : SubscriptionSlot.notFound(name));
        } else {
            SubscriptionSlot cursor = new SubscriptionSlot(name, true, Map.of());
            cursor.state = SubscriptionSlot.State.ENDING;
            cursor.unsubscribing = wanted.reply();
            parts.memory().change(MemoryBudget.Kind.SUBSCRIPTIONS, cursor.weight(parts.name()));
            byName.put(name, cursor);
            self.tellWhenDone(
                    keeping.delete(name), (done, deletion) -> new TopicCommand.CursorDeleted(cursor, deletion));
        }
    }

    /** Puts a question to a dispatcher, which is started for it if there is only a cursor. */
    void ask(TopicCommand.AskSubscription asked) {
        questions.ask(asked, byName.get(asked.subscription()));
    }

    /** Moves a subscription; a cursor that nobody uses is moved in the log. */
    void seek(TopicCommand.SeekSubscription wanted) {
        if (closing) {
            wanted.reply().completeExceptionally(TopicMailbox.closed(parts.name()));
        } else {
            questions.seek(wanted, byName.get(wanted.subscription()));
        }
    }

    /** Acknowledges what is up to a position on each; a cursor that nobody uses is moved in the log. */
    void pass(TopicCommand.Pass wanted) {
        if (closing) {
            wanted.reply().completeExceptionally(TopicMailbox.closed(parts.name()));
        } else {
            questions.pass(wanted, byName);
        }
    }

    /** Ends every dispatcher and refuses consumers that still join; {@link #isEmpty} turns true when all have ended. */
    void closeAll() {
        closing = true;
        for (SubscriptionSlot subscription : byName.values()) {
            if (subscription.dispatcher != null) {
                subscription.dispatcher.tell(new DispatcherCommand.Close(new CompletableFuture<>()));
            }
        }
    }

    /** Answers who had a subscription removed; called once the topic has said whether it is idle without that one. */
    void answerRemoved() {
        removed.forEach(reply -> reply.complete(null));
        removed.clear();
    }

    boolean isEmpty() {
        return byName.isEmpty();
    }

    /** Whether no subscription has a consumer, or is about to get one. */
    boolean isIdle() {
        return byName.values().stream().allMatch(SubscriptionSlot::isIdle);
    }

    /** The control stage stops: there will be no more answers. */
    void abandon() {
        BrokerException failure = TopicMailbox.closed(parts.name());
        for (SubscriptionSlot subscription : byName.values()) {
            subscription.failWaiting(failure);
            subscription.failUnsubscribing(failure);
            giveBack(subscription);
        }
        byName.clear();
        answerRemoved();
    }

    private void requireRoom(boolean isStored, NewSubscription ifNew) {
        if (isStored && !ifNew.properties().isEmpty()) {
            parts.home().requireRoomToStore();
        }
    }

    /** Adds a subscription that is to be opened, unless there is no memory for one more. */
    private SubscriptionSlot add(String name, boolean durable, boolean isThere, NewSubscription ifNew) {
        boolean isInLog = isInLog(durable);
        requireRoom(isInLog && !isThere, ifNew);
        unused.makeRoomForOne();
        SubscriptionSlot subscription = new SubscriptionSlot(name, durable, isInLog ? Map.of() : ifNew.properties());
        PropertyChange.take(parts.memory(), subscription.weight(parts.name()));
        subscription.isThere = isThere;
        byName.put(name, subscription);
        return subscription;
    }

    /** Replaces what users say of a subscription, durably if it is kept in the log. */
    void setProperties(TopicCommand.SetProperties wanted) {
        SubscriptionSlot subscription = byName.get(wanted.subscription());
        if (closing) {
            wanted.reply().completeExceptionally(TopicMailbox.closed(parts.name()));
        } else {
            boolean isInLog = subscription == null || isInLog(subscription.durable);
            new PropertyChange(parts, wanted).make(isInLog ? null : subscription);
        }
    }

    /** Whether the log keeps such a subscription, with its properties. */
    private boolean isInLog(boolean durable) {
        return durable && keeping.log() != null;
    }

    private void remove(SubscriptionSlot subscription) {
        if (byName.remove(subscription.name, subscription)) {
            giveBack(subscription);
        }
    }

    private void giveBack(SubscriptionSlot subscription) {
        parts.memory().change(MemoryBudget.Kind.SUBSCRIPTIONS, -subscription.weight(parts.name()));
    }

    /** Whether there is such a subscription already. */
    private boolean requireAllowed(
            String name, boolean durable, @Nullable SubscriptionSlot existing, TopicRules rules) {
        if (closing) {
            throw TopicMailbox.closed(parts.name());
        }
        SubscribeRequest.requireName(name);
        boolean kept = existing == null ? keeping.has(name) : existing.durable;
        if ((existing != null || kept) && kept != durable) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED,
                    "subscription " + name + " of " + parts.name() + " is " + (kept ? "durable" : "not durable")
                            + ", and cannot be both: choose another name");
        }
        boolean isThere = existing != null || kept;
        if (!isThere) {
            int others = keeping.countWith(byName.keySet());
            rules.requireSubscription(parts.name(), name, others);
            parts.limits().requireSubscription(parts.name(), name, others);
        }
        return isThere;
    }

    private void open(SubscriptionSlot subscription) {
        subscription.state = SubscriptionSlot.State.OPENING;
        self.tellWhenDone(
                keeping.open(subscription.name, subscription.durable, subscription.ifNew()),
                (cursor, failure) -> new TopicCommand.Opened(subscription, cursor, failure));
    }

    private void onOpened(TopicCommand.Opened opened) {
        SubscriptionSlot subscription = opened.subscription();
        subscription.isThere |= opened.failure() == null;
        if (!closing && subscription.isThere && isCursorGone(subscription)) {
            startOver(subscription);
            return;
        }
        if (closing || opened.failure() != null) {
            remove(subscription);
            subscription.failWaiting(
                    opened.failure() == null
                            ? TopicMailbox.closed(parts.name())
                            : LogRefusal.of("subscription " + subscription.name, opened.failure()));
            return;
        }
        subscription.openings++;
        subscription.deserted = true;
        subscription.sent = new CompletableFuture<>();
        SubscriptionWatcher watcher =
                new SubscriptionWatcher(self, subscription, subscription.openings, subscription.sent);
        StageActorRef<DispatcherCommand> dispatcher = parts.dispatcher(opened, watcher, runtime);
        subscription.dispatcher = policies.opened(dispatcher);
        self.tellWhenDone(
                dispatcher.whenTerminated(),
                (done, failure) -> new TopicCommand.DispatcherStopped(subscription, dispatcher));
        run(subscription, dispatcher);
    }

    private void onGoesOn(SubscriptionSlot subscription) {
        StageActorRef<DispatcherCommand> dispatcher = subscription.dispatcher;
        if (dispatcher != null && subscription.state == SubscriptionSlot.State.CLOSING) {
            run(subscription, dispatcher);
            if (subscription.isClosable()) {
                unused.stays(subscription);
            }
        }
    }

    /** The dispatcher takes whoever waits. */
    private void run(SubscriptionSlot subscription, StageActorRef<DispatcherCommand> dispatcher) {
        subscription.state = SubscriptionSlot.State.RUNNING;
        subscription.created();
        for (Joining joining : new ArrayList<>(subscription.waiting)) {
            attach(subscription, joining, dispatcher);
        }
        subscription.waiting.clear();
    }

    private void attach(SubscriptionSlot subscription, Joining joining, StageActorRef<DispatcherCommand> dispatcher) {
        if (!joining.tryAgain()) {
            joining.fail(new BrokerException(
                    ErrorKind.SERVICE_NOT_READY,
                    "subscription " + subscription.name + " ended again and again: try once more"));
            return;
        }
        subscription.asked.add(joining);
        CompletableFuture<Void> answer = new CompletableFuture<>();
        self.tellWhenDone(
                answer, (done, failure) -> new TopicCommand.AttachAnswered(subscription, joining, dispatcher, failure));
        dispatcher.tell(new DispatcherCommand.Attach(
                joining.request.link(), joining.request.consumer(), joining.rules.maxConsumers(), answer));
    }

    private void onAttachAnswered(TopicCommand.AttachAnswered answered) {
        Joining joining = answered.joining();
        if (!answered.subscription().asked.remove(joining)) {
            return;
        }
        if (answered.failure() == null) {
            answered.subscription().deserted = false;
            joining.reply.complete(
                    new SubscriptionHandle(answered.subscription().name, self, answered.dispatcher(), keeping.log()));
            return;
        }
        BrokerException refusal =
                LogRefusal.of("consumer " + joining.request.consumer().name(), answered.failure());
        if (refusal.kind() != ErrorKind.SERVICE_NOT_READY) {
            joining.fail(refusal);
        } else if (answered.subscription().dispatcher == answered.dispatcher()) {
            answered.subscription().waiting.add(joining);
        } else {
            subscribe(joining);
        }
    }

    private void onDispatcherStopped(SubscriptionSlot subscription, StageActorRef<DispatcherCommand> dispatcher) {
        if (subscription.dispatcher != dispatcher) {
            return;
        }
        consumption.ended(subscription);
        subscription.dispatcherStopped();
        if (subscription.isEnding()) {
            endWhenDone(subscription);
            return;
        }
        subscription.failUnsubscribing(new BrokerException(
                ErrorKind.SERVICE_NOT_READY, "subscription " + subscription.name + " ended: try again"));
        if (closing) {
            subscription.failWaiting(TopicMailbox.closed(parts.name()));
        }
        if (subscription.waiting.isEmpty() && subscription.creating.isEmpty()) {
            remove(subscription);
        } else {
            open(subscription);
        }
    }

    private void onUnsubscribeAnswered(SubscriptionSlot subscription, @Nullable Throwable failure) {
        if (failure != null) {
            subscription.failUnsubscribing(LogRefusal.of("subscription " + subscription.name, failure));
            return;
        }
        subscription.state = SubscriptionSlot.State.ENDING;
        if (subscription.durable) {
            self.tellWhenDone(
                    keeping.delete(subscription.name),
                    (done, deletion) -> new TopicCommand.CursorDeleted(subscription, deletion));
        } else {
            onCursorDeleted(subscription, null);
        }
    }

    private void onCursorDeleted(SubscriptionSlot subscription, @Nullable Throwable failure) {
        subscription.cursorDeleted = true;
        if (failure != null) {
            subscription.failUnsubscribing(LogRefusal.of("subscription " + subscription.name, failure));
        }
        endWhenDone(subscription);
    }

    private void endWhenDone(SubscriptionSlot subscription) {
        if (subscription.cursorDeleted && subscription.dispatcher == null) {
            if (subscription.unsubscribing != null) {
                removed.add(subscription.unsubscribing);
                subscription.unsubscribing = null;
            }
            startOver(subscription);
        }
    }

    /** Whether it was deleted in the log while it had no dispatcher that could be told. */
    private boolean isCursorGone(SubscriptionSlot subscription) {
        return isInLog(subscription.durable) && !keeping.has(subscription.name);
    }

    /** It is gone: those who wait have a new one made, or hear that it is gone if they ask for the one that there was. */
    private void startOver(SubscriptionSlot gone) {
        remove(gone);
        gone.creating.forEach(this::create);
        gone.waiting.forEach(this::subscribe);
    }
}
