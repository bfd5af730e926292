package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.Attributes;
import io.millrace.streams.ClosedShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * The owner of the map from names to topics. A topic's log is opened elsewhere, so a slow one delays nobody; whoever
 * asks meanwhile for the same topic waits for the same opening.
 */
final class DirectoryStage extends GraphStageWithMaterializedValue<ClosedShape, AsyncCallback<DirectoryCommand>> {
    private final BrokerLog log;
    private final TopicLimits limits;

    DirectoryStage(BrokerLog log, TopicLimits limits) {
        this.log = log;
        this.limits = limits;
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

    private final class Logic extends GraphStageLogic {
        private final AsyncCallback<DirectoryCommand> self = asyncCallback(this::receive);
        private final long epochMillis = System.currentTimeMillis();
        private final Map<TopicName, Topic> open = new HashMap<>();
        private final Map<TopicName, List<CompletableFuture<Topic>>> opening = new HashMap<>();
        private final List<CompletableFuture<Void>> closeReplies = new ArrayList<>(0);
        private boolean closing;
        private long openedCount;

        Logic() {
            super(ClosedShape.of());
        }

        @Override
        public void preStart() {
            setKeepGoing(true);
        }

        @Override
        public void postStop() {
            opening.values().forEach(waiting -> fail(waiting, Topics.closed()));
            closeReplies.forEach(reply -> reply.complete(null));
        }

        private void receive(DirectoryCommand command) {
            if (command instanceof DirectoryCommand.Open request) {
                open(request.name(), request.reply());
            } else if (command instanceof DirectoryCommand.Opened opened) {
                opened(opened);
            } else if (command instanceof DirectoryCommand.Stopped stopped) {
                open.remove(stopped.topic().name(), stopped.topic());
            } else if (command instanceof DirectoryCommand.Exists question) {
                String full = question.name().full();
                question.reply()
                        .complete(open.containsKey(question.name())
                                || log.topicNames().contains(full));
            } else if (command instanceof DirectoryCommand.Names names) {
                names.reply().complete(names());
            } else if (command instanceof DirectoryCommand.Close close) {
                close(close.reply());
            }
            if (closing && open.isEmpty() && opening.isEmpty()) {
                completeStage();
            }
        }

        private void open(TopicName name, CompletableFuture<Topic> reply) {
            Topic topic = open.get(name);
            List<CompletableFuture<Topic>> waiting = opening.get(name);
            if (closing) {
                reply.completeExceptionally(Topics.closed());
            } else if (topic != null) {
                reply.complete(topic);
            } else if (waiting != null) {
                waiting.add(reply);
            } else {
                opening.put(name, new ArrayList<>(List.of(reply)));
                LogRefusal.caught(() -> log.openTopic(name.full()))
                        .whenComplete((topicLog, failure) ->
                                self.invoke(new DirectoryCommand.Opened(name, topicLog, failure)));
            }
        }

        private void opened(DirectoryCommand.Opened opened) {
            List<CompletableFuture<Topic>> waiting = opening.remove(opened.name());
            if (waiting == null) {
                throw new IllegalStateException("topic " + opened.name() + " was opened, but nobody asked for it");
            }
            TopicLog topicLog = opened.log();
            if (topicLog == null || closing) {
                fail(
                        waiting,
                        topicLog == null ? LogRefusal.of("topic " + opened.name(), opened.failure()) : Topics.closed());
                return;
            }
            openedCount++;
            String generatedPrefix = "millrace-" + Long.toString(epochMillis, Character.MAX_RADIX) + '-' + openedCount;
            Topic topic = TopicGraph.run(runtime(), opened.name(), topicLog, limits, generatedPrefix + '-');
            open.put(topic.name(), topic);
            topic.stopped().whenComplete((done, failure) -> self.invoke(new DirectoryCommand.Stopped(topic)));
            waiting.forEach(reply -> reply.complete(topic));
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

        private void fail(List<CompletableFuture<Topic>> waiting, BrokerException failure) {
            waiting.forEach(reply -> reply.completeExceptionally(failure));
        }
    }
}
