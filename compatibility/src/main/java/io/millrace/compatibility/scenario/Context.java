package io.millrace.compatibility.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.ClientBuilder;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.common.policies.data.TenantInfo;
import org.jspecify.annotations.Nullable;

/**
 * What a scenario is given: clients, names of its own, and its transcript. A scenario has one to itself, and uses it from one
 * thread.
 *
 * <p>Its tenant is written as {@code TENANT} wherever it stands in a value, and message ids as {@code L0:3}: ledgers in the
 * order in which they were first written.
 */
public final class Context {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Shared shared;
    private final Transcript transcript = new Transcript();
    private final String tenant;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Map<Long, Integer> ledgers = new LinkedHashMap<>();
    private boolean hasTenant;
    private boolean hasNamespace;

    Context(Shared shared, String tenant) {
        this.shared = shared;
        this.tenant = tenant;
    }

    Transcript transcript() {
        return transcript;
    }

    /** The broker's two URLs. */
    public Target target() {
        return shared.target();
    }

    /** The admin client that all scenarios share. */
    public PulsarAdmin admin() {
        return shared.admin();
    }

    /** The client that all scenarios share. */
    public PulsarClient client() {
        return shared.client();
    }

    /** Requests without any client of Pulsar. */
    public Http http() {
        return new Http(this);
    }

    /** A client of this scenario alone, closed at its end. */
    public PulsarClient newClient(ClientBuilder builder) throws PulsarClientException {
        return closing(builder.serviceUrl(target().serviceUrl()).build());
    }

    /** Closes something at the end of the scenario, last opened first. */
    public <T extends AutoCloseable> T closing(T resource) {
        opened.add(resource);
        return resource;
    }

    /** A name that begins with this scenario's own and that nobody else uses; there is no tenant of that name yet. */
    public String unique(String name) {
        return tenant + "-" + name;
    }

    /** A tenant of this scenario, made when it is first asked for. */
    public String tenant() throws Exception {
        if (!hasTenant) {
            hasTenant = true;
            TenantInfo info =
                    TenantInfo.builder().allowedClusters(Set.of("standalone")).build();
            shared.plainAdmin().tenants().createTenant(tenant, info);
        }
        return tenant;
    }

    /** A namespace of this scenario, {@code tenant/ns}, made when it is first asked for. */
    public String namespace() throws Exception {
        String namespace = tenant() + "/ns";
        if (!hasNamespace) {
            hasNamespace = true;
            shared.plainAdmin().namespaces().createNamespace(namespace);
        }
        return namespace;
    }

    /** The full name of a topic of this scenario's namespace, which is stored; the topic is not made by this. */
    public String topic(String name) throws Exception {
        return "persistent://" + namespace() + "/" + name;
    }

    /** The full name of a topic of this scenario's namespace that is not stored. */
    public String liveTopic(String name) throws Exception {
        return "non-persistent://" + namespace() + "/" + name;
    }

    /** Writes a value: text, number, null, message id as they are, a collection in its order, a set and a map in the order of their text. */
    public void say(String key, @Nullable Object value) {
        transcript.add(key, masked(text(value)));
    }

    /** Writes an object as JSON, a line for each field, times and other volatile fields masked, and those named here. */
    public void json(String key, @Nullable Object value, String... masked) throws Exception {
        lines(masked).object(key, value);
    }

    /** The same of a document that came as text. */
    public void jsonText(String key, String json, String... masked) {
        lines(masked).text(key, json);
    }

    private JsonLines lines(String... masked) {
        Predicate<String> mask =
                field -> Volatile.is(field) || Arrays.asList(masked).contains(field);
        return new JsonLines((key, value) -> transcript.add(masked(key), masked(value)), mask);
    }

    /** Calls something and writes what it returned or how it failed. */
    public void call(String key, Callable<? extends @Nullable Object> verb) {
        String told;
        try {
            told = text(verb.call());
        } catch (Exception e) {
            told = Failures.of(e);
        }
        transcript.add(key, masked(told));
    }

    /** The same of what is returned as JSON. */
    public void callJson(String key, Callable<? extends @Nullable Object> verb, String... masked) {
        try {
            json(key, verb.call(), masked);
        } catch (Exception e) {
            transcript.add(key, Failures.of(e));
        }
    }

    /** Does something and writes {@code done} or how it failed. */
    public void run(String key, Action verb) {
        call(key, () -> {
            verb.run();
            return "done";
        });
    }

    /** Waits until something has come to pass, and writes {@code true}, or {@code false} after twenty seconds. */
    public void await(String key, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE_NANOS;
        boolean met = condition.call();
        while (!met && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
            met = condition.call();
        }
        say(key, met);
    }

    /** Something that is done and returns nothing. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    /** A message id as it is written: {@code L0:3}, of a partition {@code L0:3:p1}, of a batch {@code L0:3:b2}. */
    public String id(MessageId id) {
        MessageIdAdv parts = (MessageIdAdv) id;
        if (parts.getLedgerId() < 0 || parts.getLedgerId() == Long.MAX_VALUE) {
            return parts.getLedgerId() < 0 ? "earliest" : "latest";
        }
        int ledger = ledgers.computeIfAbsent(parts.getLedgerId(), unused -> ledgers.size());
        String partition = parts.getPartitionIndex() < 0 ? "" : ":p" + parts.getPartitionIndex();
        String batch = parts.getBatchIndex() < 0 ? "" : ":b" + parts.getBatchIndex();
        return "L" + ledger + ":" + parts.getEntryId() + partition + batch;
    }

    private String text(@Nullable Object value) {
        if (value instanceof MessageId id) {
            return id(id);
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> text(entry.getKey()) + "=" + text(entry.getValue()))
                    .sorted()
                    .toList()
                    .toString();
        }
        if (value instanceof Collection<?> values) {
            List<String> texts = new ArrayList<>(values.stream().map(this::text).toList());
            if (value instanceof Set) {
                texts.sort(null);
            }
            return texts.toString();
        }
        return String.valueOf(value);
    }

    private String masked(String text) {
        return text.replace(tenant, "TENANT");
    }

    /** Ends the scenario. */
    void end() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }
}
