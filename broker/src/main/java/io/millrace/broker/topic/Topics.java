package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.inspect.SubscriptionSnapshot;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.stage.AsyncCallback;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * All topics of a broker by name. Thread-safe; every request is answered later, by the directory's stage, and fails
 * with a {@link BrokerException}.
 */
public final class Topics {
    private final AsyncCallback<DirectoryCommand> directory;

    private final TopicLimits limits;
    private final MemoryBudget memory;

    private Topics(AsyncCallback<DirectoryCommand> directory, TopicLimits limits, MemoryBudget memory) {
        this.directory = directory;
        this.limits = limits;
        this.memory = memory;
    }

    /**
     * Starts the directory; the topics of the log are opened when they are first asked for, and unloaded when nobody has
     * used them for a while.
     */
    public static Topics start(StreamRuntime runtime, BrokerLog log, TopicLimits limits) {
        return start(runtime, log, limits, InstantSource.system(), MemoryBudget.ofThisProcess());
    }

    /**
     * The same for a broker that counts what clients make it hold.
     *
     * @param clock tells when delayed entries are due
     */
    public static Topics start(
            StreamRuntime runtime, BrokerLog log, TopicLimits limits, InstantSource clock, MemoryBudget memory) {
        AsyncCallback<DirectoryCommand> directory = RunnableGraph.fromGraph(
                        new DirectoryStage(log, limits, clock, memory))
                .named("topics")
                .run(runtime);
        return new Topics(directory, limits, memory);
    }

    /** What each topic takes where no policy says otherwise. */
    public TopicLimits limits() {
        return limits;
    }

    /** What clients may make the broker hold, which topics share with connections. */
    public MemoryBudget memory() {
        return memory;
    }

    /** The topic of that name, created and opened on first use; after a failure it can be asked for again. */
    public CompletionStage<Topic> open(TopicName name) {
        return ask(reply -> new DirectoryCommand.Open(name, reply));
    }

    /**
     * Sets who opens a topic again for a request that reached it when it was closed, by itself {@link #open} does, and who
     * is told of each that was unloaded.
     */
    public void reopenBy(Function<TopicName, CompletionStage<Topic>> open, Consumer<TopicName> unloaded) {
        directory.invoke(new DirectoryCommand.Reopening(open, unloaded));
    }

    /**
     * Closes these topics and has the log release them: accepted publishes and acknowledgements get their receipts first. If
     * one has producers or consumers it fails with IN_USE, and none is closed, unless {@code force}.
     */
    public CompletionStage<Void> release(List<TopicName> names, boolean force) {
        return ask(reply -> new DirectoryCommand.Release(
                names, force ? DirectoryCommand.ReleaseIf.ALWAYS : DirectoryCommand.ReleaseIf.UNUSED, reply));
    }

    /** Those of these topics that are open; asking opens none. */
    public CompletionStage<Map<TopicName, Topic>> find(List<TopicName> names) {
        return ask(reply -> new DirectoryCommand.Find(names, reply));
    }

    /** The topics that are open and that the filter lets through; it is called on another thread. */
    public CompletionStage<Map<TopicName, Topic>> find(Predicate<TopicName> wanted) {
        return ask(reply -> new DirectoryCommand.Matching(wanted, reply));
    }

    /** Whether there is a topic of that name, open or not. */
    public CompletionStage<Boolean> exists(TopicName name) {
        return ask(reply -> new DirectoryCommand.Exists(name, reply));
    }

    /** The full names of all topics, open or not, in alphabetical order. */
    public CompletionStage<List<String>> names() {
        return ask(DirectoryCommand.Names::new);
    }

    /** The subscriptions that are in use, by consumers or until a while ago, of topics whose full name begins so. */
    public CompletionStage<List<SubscriptionSnapshot>> subscriptions(String topicPrefix) {
        return find(name -> name.full().startsWith(topicPrefix)).thenCompose(Topics::subscriptionsOf);
    }

    private static CompletionStage<List<SubscriptionSnapshot>> subscriptionsOf(Map<TopicName, Topic> open) {
        CompletionStage<List<SubscriptionSnapshot>> all = CompletableFuture.completedFuture(new ArrayList<>());
        List<Topic> inOrder = new ArrayList<>(open.values());
        inOrder.sort(Comparator.comparing(topic -> topic.name().full()));
        for (Topic topic : inOrder) {
            all = all.thenCombine(topic.subscriptions(), (before, each) -> {
                before.addAll(each);
                return before;
            });
        }
        return all;
    }

    /** Has what waits for the rate of its topic published now, so that it has its receipt when the broker closes. */
    public CompletionStage<Void> liftPublishRates() {
        return find(name -> true).thenAccept(open -> open.values().forEach(Topic::liftPublishRate));
    }

    /** Closes all topics and the directory: accepted publishes and acknowledgements get their receipts first. */
    public CompletionStage<Void> close() {
        return this.<Void>ask(DirectoryCommand.Close::new).exceptionally(alreadyClosed -> null);
    }

    private <R> CompletionStage<R> ask(Function<CompletableFuture<R>, DirectoryCommand> command) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        directory.invokeWithFeedback(command.apply(reply)).whenComplete((done, failure) -> {
            if (failure != null) {
                reply.completeExceptionally(closed());
            }
        });
        return reply;
    }

    /** The refusal of a request that comes too late. */
    public static BrokerException closed() {
        return new BrokerException(ErrorKind.SERVICE_NOT_READY, "the broker is closing: try again");
    }
}
