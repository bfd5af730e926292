package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.graph.Done;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The owner of the map from names to topics. A topic's log is opened elsewhere, so a slow one delays no other topic.
 * Later requests for the same topic wait for the same opening.
 *
 * <pre>
 *   absent    -> opening    at the first request for it
 *   opening   -> open       when its log is open; all requests that wait get it
 *   open      -> unloading  when it was idle for a while, or room is short; later requests wait
 *   unloading -> open       when the topic answers that it is in use again
 *   unloading -> absent     when it has stopped and the log has released it; requests that wait open it again, and
 *                           whoever is to hear of the release waits for the next one
 * </pre>
 */
final class DirectoryStage extends GraphStageWithMaterializedValue<ClosedShape, AsyncCallback<DirectoryCommand>> {
    private static final Duration CLOSE_UNUSED_AGAIN = Duration.ofSeconds(1);

    private final BrokerLog log;
    private final TopicLimits limits;
    private final InstantSource clock;
    private final MemoryBudget memory;

    DirectoryStage(BrokerLog log, TopicLimits limits, InstantSource clock, MemoryBudget memory) {
        this.log = log;
        this.limits = limits;
        this.clock = clock;
        this.memory = memory;
    }

    @Override
    public ClosedShape shape() {
        return ClosedShape.of();
    }

    @Override
    public String name() {
        return "directory";
    }

    @Override
    public LogicAndValue<AsyncCallback<DirectoryCommand>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.self);
    }

    /** A topic that was told to unload, and the requests for it since then. */
    private record Unloading(Topic topic, List<CompletableFuture<Topic>> waiting) {}

    private final class Logic extends GraphStageLogic {
        private final AsyncCallback<DirectoryCommand> self = asyncCallback(this::receive);
        private final TopicHome home = new TopicHome(limits, clock, memory, log::storedBytes, this::tellFromTopic);
        private final long epochMillis = System.currentTimeMillis();
        private final Map<TopicName, Topic> open = new HashMap<>();
        private final Map<TopicName, List<CompletableFuture<Topic>>> opening = new HashMap<>();
        private final Map<TopicName, Unloading> unloading = new HashMap<>();
        private final Idle<TopicName> idle = new Idle<>(limits.unloadIdleAfter());
        private final OpenTopicRoom room = new OpenTopicRoom(limits.maxOpenTopics());
        /** Topics that are opened when others have been unloaded. */
        private final ArrayDeque<TopicName> waitingForRoom = new ArrayDeque<>(0);

        /** Who waits until the log has released a topic. */
        private final Map<TopicName, List<CompletableFuture<Void>>> releasing = new HashMap<>(0);

        private Function<TopicName, CompletionStage<Topic>> reopen = this::openHere;
        private Consumer<TopicName> unloaded = name -> {};
        private final List<CompletableFuture<Void>> closeReplies = new ArrayList<>(0);
        private boolean closing;
        private long openedCount;

        Logic() {
            super(ClosedShape.of());
        }

        @Override
        public void preStart() {
            setKeepGoing(true);
            scheduleOnce(this, limits.deleteEmptyAfter());
        }

        @Override
        public void postStop() {
            opening.values().forEach(waiting -> fail(waiting, Topics.closed()));
            unloading.values().forEach(left -> fail(left.waiting(), Topics.closed()));
            releasing.values().forEach(waiting -> waiting.forEach(TopicHome::refuse));
            closeReplies.forEach(reply -> reply.complete(null));
        }

        /** The first timer deletes the empty topics that earlier runs left. */
        @Override
        public void onTimer(Object key) {
            if (key == this) {
                log.deleteEmptyTopics();
            } else if (key == idle) {
                unloadIdle();
            }
        }

        private void receive(DirectoryCommand command) {
            if (command instanceof DirectoryCommand.Open request) {
                open(request.name(), request.reply());
            } else if (command instanceof DirectoryCommand.Again again) {
                again(again.name(), again.request());
            } else if (command instanceof DirectoryCommand.Exists question) {
                question.reply()
                        .complete(isKnown(question.name())
                                || log.hasTopic(question.name().full()));
            } else if (command instanceof DirectoryCommand.Find question) {
                question.answer(open);
            } else if (command instanceof DirectoryCommand.Matching question) {
                question.answer(open, unloading.values().stream().map(Unloading::topic));
            } else if (command instanceof DirectoryCommand.Names names) {
                names.reply().complete(names());
            } else if (command instanceof DirectoryCommand.Release release) {
                release(release);
            } else if (command instanceof DirectoryCommand.Close close) {
                close(close.reply());
            } else {
                receiveAnswer(command);
            }
            makeRoom();
            if (closing && open.isEmpty() && opening.isEmpty() && unloading.isEmpty()) {
                completeStage();
            }
        }

        private void receiveAnswer(DirectoryCommand command) {
            if (command instanceof DirectoryCommand.Reopening reopening) {
                reopen = reopening.open();
                unloaded = reopening.unloaded();
            } else if (command instanceof DirectoryCommand.Opened opened) {
                opened(opened);
            } else if (command instanceof DirectoryCommand.Idle told) {
                idle(told);
            } else if (command instanceof DirectoryCommand.Stopped stopped) {
                stopped(stopped.topic());
            } else if (command instanceof DirectoryCommand.Left left) {
                left(left.name());
            } else if (command == DirectoryCommand.CloseUnused.CLOSE_UNUSED) {
                closeUnused();
            } else {
                throw new IllegalStateException("the directory does not know " + command);
            }
        }

        private boolean isKnown(TopicName name) {
            return open.containsKey(name) || opening.containsKey(name) || unloading.containsKey(name);
        }

        private void open(TopicName name, CompletableFuture<Topic> reply) {
            Topic topic = open.get(name);
            List<CompletableFuture<Topic>> waiting = opening.get(name);
            Unloading left = unloading.get(name);
            if (closing) {
                reply.completeExceptionally(Topics.closed());
            } else if (topic != null) {
                reply.complete(topic);
            } else if (waiting != null) {
                waiting.add(reply);
            } else if (left != null) {
                left.waiting().add(reply);
            } else {
                opening.put(name, new ArrayList<>(List.of(reply)));
                openLog(name);
            }
        }

        private void again(TopicName name, TopicCommand.Request request) {
            reopen.apply(name).whenComplete((topic, failure) -> {
                if (topic != null) {
                    topic.mailbox().tell(request, request.reply());
                } else {
                    request.reply().completeExceptionally(LogRefusal.of("topic " + name, failure));
                }
            });
        }

        private CompletionStage<Topic> openHere(TopicName name) {
            CompletableFuture<Topic> reply = new CompletableFuture<>();
            open(name, reply);
            return reply;
        }

        private void release(DirectoryCommand.Release release) {
            List<TopicName> inUse = release.when() == DirectoryCommand.ReleaseIf.ALWAYS
                    ? List.of()
                    : release.names().stream().filter(this::isInUse).toList();
            if (closing) {
                TopicHome.refuse(release.reply());
            } else if (!inUse.isEmpty() && release.when() == DirectoryCommand.ReleaseIf.UNUSED) {
                releaseOnceAsked(release, inUse);
            } else if (!inUse.isEmpty()) {
                release.reply()
                        .completeExceptionally(
                                new BrokerException(ErrorKind.IN_USE, "clients are connected to " + inUse.get(0)));
            } else {
                CompletableFuture<?>[] each =
                        release.names().stream().map(this::release).toArray(CompletableFuture[]::new);
                CompletableFuture<Void> unused = CompletableFuture.allOf(each).whenComplete((done, failure) -> {
                    if (failure == null) {
                        release.reply().complete(null);
                    } else {
                        TopicHome.refuse(release.reply());
                    }
                });
            }
        }

        /** Whoever has left these topics may have done so a moment ago: asks them before they are taken to be in use. */
        private void releaseOnceAsked(DirectoryCommand.Release release, List<TopicName> names) {
            DirectoryCommand.Release again = new DirectoryCommand.Release(
                    release.names(), DirectoryCommand.ReleaseIf.UNUSED_AND_ASKED, release.reply());
            CompletableFuture<?>[] asked = names.stream()
                    .map(open::get)
                    .filter(Objects::nonNull)
                    .map(topic -> topic.settled().toCompletableFuture())
                    .toArray(CompletableFuture[]::new);
            CompletableFuture<Done> unused = CompletableFuture.allOf(asked)
                    .thenCompose(done -> self.invokeWithFeedback(again))
                    .whenComplete((done, stopped) -> {
                        if (stopped != null) {
                            TopicHome.refuse(release.reply());
                        }
                    });
        }

        private boolean isInUse(TopicName name) {
            return opening.containsKey(name) || (open.containsKey(name) && !idle.contains(name));
        }

        private CompletableFuture<Void> release(TopicName name) {
            CompletableFuture<Void> released = new CompletableFuture<>();
            List<CompletableFuture<Topic>> waiting = opening.get(name);
            Topic topic = open.get(name);
            if (waiting != null) {
                CompletableFuture<Topic> opened = new CompletableFuture<>();
                waiting.add(opened);
                CompletableFuture<Topic> unused = opened.whenComplete((done, failure) -> self.invoke(
                        new DirectoryCommand.Release(List.of(name), DirectoryCommand.ReleaseIf.ALWAYS, released)));
            } else if (topic == null && !unloading.containsKey(name)) {
                released.complete(null);
            } else {
                releasing.computeIfAbsent(name, unused -> new ArrayList<>(1)).add(released);
                if (topic != null) {
                    topic.close();
                }
            }
            return released;
        }

        /** Whether the topic is there, or may be made. */
        private boolean isMakeable(TopicName name) {
            memory.stored(log.storedBytes());
            return !name.isPersistent() || memory.hasRoomForTopics() || log.hasTopic(name.full());
        }

        private void openLog(TopicName name) {
            if (!isMakeable(name)) {
                refuse(name, memory.topicRefusal());
            } else if (room.take()) {
                takeLog(name);
            } else if (unloadEldest() || !unloading.isEmpty()) {
                waitingForRoom.add(name);
            } else {
                refuse(name, room.refusal(name));
            }
        }

        /** A topic that stores nothing has no log. */
        private void takeLog(TopicName name) {
            if (name.isPersistent()) {
                LogRefusal.caught(() -> log.openTopic(name.full()))
                        .whenComplete((topicLog, failure) ->
                                self.invoke(new DirectoryCommand.Opened(name, topicLog, failure)));
            } else {
                self.invoke(new DirectoryCommand.Opened(name, null, null));
            }
        }

        private void refuse(TopicName name, String reason) {
            List<CompletableFuture<Topic>> waiting = opening.remove(name);
            fail(waiting == null ? List.of() : waiting, new BrokerException(ErrorKind.TOO_MANY_REQUESTS, reason));
        }

        private void opened(DirectoryCommand.Opened opened) {
            List<CompletableFuture<Topic>> waiting = opening.remove(opened.name());
            if (waiting == null) {
                throw new IllegalStateException("topic " + opened.name() + " was opened, but nobody asked for it");
            }
            TopicLog topicLog = opened.log();
            if (opened.failure() != null || closing) {
                room.giveBack();
                fail(
                        waiting,
                        opened.failure() == null
                                ? Topics.closed()
                                : LogRefusal.of("topic " + opened.name(), opened.failure()));
                openWaiting();
                return;
            }
            openedCount++;
            String generatedPrefix = "millrace-" + Long.toString(epochMillis, Character.MAX_RADIX) + '-' + openedCount;
            Topic topic = topicLog == null
                    ? TopicGraph.live(materializer(), opened.name(), home, generatedPrefix + '-')
                    : TopicGraph.stored(materializer(), opened.name(), topicLog, home, generatedPrefix + '-');
            open.put(topic.name(), topic);
            topic.stopped().whenComplete((done, failure) -> self.invoke(new DirectoryCommand.Stopped(topic)));
            waiting.forEach(reply -> reply.complete(topic));
        }

        private void idle(DirectoryCommand.Idle told) {
            Topic topic = open.get(told.name());
            Unloading left = unloading.get(told.name());
            if (topic != null && topic.mailbox() == told.topic()) {
                if (told.idle()) {
                    idle.add(topic.name(), nowNanos());
                    setTimer();
                } else {
                    idle.remove(topic.name());
                }
            } else if (left != null && left.topic().mailbox() == told.topic() && !told.idle()) {
                unloading.remove(told.name());
                open.put(told.name(), left.topic());
                left.waiting().forEach(reply -> reply.complete(left.topic()));
                openWaiting();
                if (closing || releasing.containsKey(told.name())) {
                    left.topic().close();
                }
            }
        }

        private void setTimer() {
            Duration left = idle.untilDue(nowNanos());
            if (left != null && !isTimerActive(idle)) {
                scheduleOnce(idle, left);
            }
        }

        private void unloadIdle() {
            for (TopicName name = idle.pollDue(nowNanos()); name != null; name = idle.pollDue(nowNanos())) {
                unload(name);
            }
            setTimer();
        }

        /** Unloads the topic that has been idle for longest; false if none is. */
        private boolean unloadEldest() {
            TopicName eldest = idle.poll();
            if (eldest != null) {
                unload(eldest);
            }
            return eldest != null;
        }

        private void unload(TopicName name) {
            Topic topic = open.remove(name);
            if (topic == null) {
                throw new IllegalStateException("topic " + name + " is idle, but not open");
            }
            unloading.put(name, new Unloading(topic, new ArrayList<>(0)));
            topic.mailbox().tell(TopicCommand.Unload.UNLOAD);
        }

        /** Idle topics make room before those in use find none. */
        private void makeRoom() {
            boolean more = !closing;
            while (more && room.isShort(unloading.size())) {
                more = unloadEldest();
            }
        }

        /** Once in a while at most: it goes to all of them. */
        private void closeUnused() {
            if (!isTimerActive(DirectoryCommand.CloseUnused.CLOSE_UNUSED)) {
                scheduleOnce(DirectoryCommand.CloseUnused.CLOSE_UNUSED, CLOSE_UNUSED_AGAIN);
                open.values().forEach(topic -> topic.mailbox().tell(TopicCommand.CloseUnused.CLOSE_UNUSED));
            }
        }

        private void stopped(Topic topic) {
            TopicName name = topic.name();
            if (open.remove(name, topic)) {
                idle.remove(name);
                unloading.put(name, new Unloading(topic, new ArrayList<>(0)));
            }
            TopicLog topicLog = topic.log();
            if (closing || topicLog == null) {
                left(name);
            } else {
                LogRefusal.caught(() -> log.leaveTopic(topicLog))
                        .whenComplete((done, failure) -> self.invoke(new DirectoryCommand.Left(name)));
            }
        }

        private void left(TopicName name) {
            Unloading left = unloading.remove(name);
            if (left != null) {
                room.giveBack();
                unloaded.accept(name);
                left.waiting().forEach(reply -> open(name, reply));
                openWaiting();
            }
            List<CompletableFuture<Void>> waiting = releasing.remove(name);
            if (waiting != null) { // whoever waited may have opened it again
                waiting.forEach(released -> release(
                        new DirectoryCommand.Release(List.of(name), DirectoryCommand.ReleaseIf.ALWAYS, released)));
            }
        }

        /** There may be room: each that waits gets some, waits on for one that is being unloaded, or is refused. */
        private void openWaiting() {
            for (int waiting = waitingForRoom.size(); waiting > 0; waiting--) {
                openLog(waitingForRoom.remove());
            }
        }

        private List<String> names() {
            TreeSet<String> names = new TreeSet<>(log.topicNames());
            open.keySet().forEach(name -> names.add(name.full()));
            return List.copyOf(names);
        }

        private void close(CompletableFuture<Void> reply) {
            closing = true;
            closeReplies.add(reply);
            open.values().forEach(Topic::close);
        }

        private void tellFromTopic(DirectoryCommand command) {
            self.invokeWithFeedback(command).whenComplete((done, failure) -> {
                if (failure != null && command instanceof DirectoryCommand.Again again) {
                    TopicHome.refuse(again.request().reply());
                }
            });
        }

        private void fail(List<CompletableFuture<Topic>> waiting, BrokerException failure) {
            waiting.forEach(reply -> reply.completeExceptionally(failure));
        }
    }
}
