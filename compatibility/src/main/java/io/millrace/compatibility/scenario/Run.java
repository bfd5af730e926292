package io.millrace.compatibility.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs scenarios against one broker, some at a time. */
public final class Run {
    private static final int AT_ONCE = 4;
    private static final long PATIENCE_SECONDS = 120;
    private static final int RADIX = 36;
    private static final long SLOW_MILLIS = 3_000;

    private static final Logger LOG = LoggerFactory.getLogger(Run.class);

    private final Target target;
    private final CalledMethods called = new CalledMethods();

    public Run(Target target) {
        this.target = target;
    }

    /** Which methods of the admin client the scenarios called. */
    public CalledMethods called() {
        return called;
    }

    /**
     * Runs them all and returns their transcripts in the same order. What a scenario throws is the last line of its transcript; the others go on.
     *
     * @throws IllegalStateException if one has not ended two minutes after the one before it
     */
    public Map<String, Transcript> all(List<Scenario> scenarios) throws Exception {
        String prefix = "c" + Long.toString(System.currentTimeMillis(), RADIX);
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, Run::daemon);
        try (Shared shared = Shared.open(target, called)) {
            Map<String, Future<Transcript>> running = new LinkedHashMap<>();
            for (Scenario scenario : scenarios) {
                String tenant = prefix + "-" + running.size() + "-t";
                Callable<Transcript> one = () -> transcriptOf(scenario, new Context(shared, tenant));
                running.put(scenario.name(), threads.submit(one));
            }
            Map<String, Transcript> told = new LinkedHashMap<>();
            for (Map.Entry<String, Future<Transcript>> one : running.entrySet()) {
                told.put(one.getKey(), result(one.getKey(), one.getValue()));
            }
            return told;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "scenarios");
        thread.setDaemon(true);
        return thread;
    }

    private static Transcript result(String name, Future<Transcript> running) throws InterruptedException {
        try {
            return running.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the scenario " + name + " did not end: " + e, e);
        }
    }

    private static Transcript transcriptOf(Scenario scenario, Context context) {
        long start = System.nanoTime();
        try {
            scenario.program().run(context);
        } catch (Exception e) {
            LOG.info("{} ended by a failure", scenario.name(), e);
            context.say("ended by", Failures.of(e));
        }
        try {
            context.end();
        } catch (Exception e) {
            LOG.info("{} could not be closed", scenario.name(), e);
            context.say("closing it", Failures.of(e));
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (millis > SLOW_MILLIS) {
            LOG.warn("{} took {} ms", scenario.name(), millis);
        }
        return context.transcript();
    }
}
