package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.LogChange;
import io.millrace.broker.topic.TopicName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done with tenants and namespaces. Owned by the namespace stage. */
final class NamespaceVerbs {
    /** What each tenant and namespace may have of texts though memory is short: policies are what makes room. */
    private static final int FREE_TEXT_BYTES = 16 * 1_024;

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceVerbs.class);
    private static final int STORED_TOGETHER = 100;

    private final NameTable table;
    private final NamesInChange changing;
    private final Shared shared;
    private final Island island;
    private final SchemaVerbs schemas;
    /** Namespaces that are being made, and who waits for them. */
    private final Map<NamespaceName, CompletionStage<Void>> making = new HashMap<>();

    /** Tenants that are being deleted with their namespaces. */
    private final Set<String> deleting = new HashSet<>();

    private final Turns<String> ofTenants = new Turns<>();
    /** Changes of policies and deletions. */
    private final Turns<NamespaceName> ofNamespaces = new Turns<>();

    NamespaceVerbs(NameTable table, NamesInChange changing, Shared shared, Island island, SchemaVerbs schemas) {
        this.table = table;
        this.changing = changing;
        this.shared = shared;
        this.island = island;
        this.schemas = schemas;
    }

    /** The schemas that topics of namespaces have. */
    SchemaVerbs schemas() {
        return schemas;
    }

    /** A folder of earlier versions has topics in namespaces that nobody made: they are made now. */
    void storeThoseOfTopics() {
        List<NamespaceName> found = table.addThoseOfTopics();
        for (int from = 0; from < found.size(); from += STORED_TOGETHER) {
            LogChange change = new LogChange();
            for (NamespaceName name : found.subList(from, Math.min(found.size(), from + STORED_TOGETHER))) {
                change.set(StoredNames.tenant(name.tenant()), StoredNames.encode(Map.of()))
                        .set(StoredNames.namespace(name), StoredNames.encode(Map.of()));
            }
            shared.store(change).whenComplete((done, failure) -> {
                if (failure != null) {
                    LOG.warn("Namespaces of stored topics are not stored; the next start tries it again", failure);
                }
            });
        }
    }

    List<String> tenants() {
        return List.copyOf(table.tenants.keySet());
    }

    Map<String, String> tenant(String name) {
        table.requireTenant(name);
        return table.tenants.getOrDefault(name, Map.of());
    }

    /** Makes a tenant, or sets the properties of the one that there is. */
    CompletionStage<Void> putTenant(String name, Map<String, String> properties, boolean isNew) {
        TopicName.requireEntity("tenant", name);
        Map<String, String> kept = Map.copyOf(properties);
        return ofTenants.take(name, () -> putTenantNow(name, kept, isNew));
    }

    private CompletionStage<Void> putTenantNow(String name, Map<String, String> kept, boolean isNew) {
        if (isNew && table.tenants.containsKey(name)) {
            throw new BrokerException(ErrorKind.CONFLICT, "Tenant already exist: " + name);
        }
        byte[] texts = StoredNames.encode(kept);
        if (isNew) {
            shared.requireRoom();
        } else {
            requireFree(name);
            requireRoom(texts, tenant(name));
        }
        LogChange change = new LogChange().set(StoredNames.tenant(name), texts);
        return island.home(shared.store(change)).thenAccept(done -> table.putTenant(name, kept));
    }

    CompletionStage<Void> deleteTenant(String name) {
        return ofTenants.take(name, () -> deleteTenantNow(name));
    }

    private CompletionStage<Void> deleteTenantNow(String name) {
        requireFree(name);
        if (!namespaces(name).isEmpty()
                || making.keySet().stream().anyMatch(made -> made.tenant().equals(name))) {
            throw new BrokerException(ErrorKind.CONFLICT, "The tenant still has active namespaces: " + name);
        }
        LogChange change = new LogChange().remove(StoredNames.tenant(name));
        Map<String, String> kept = Objects.requireNonNull(table.removeTenant(name), name);
        return island.home(shared.store(change)).whenComplete((done, failure) -> {
            if (failure != null) {
                table.putTenant(name, kept);
            }
        });
    }

    /** Refuses a tenant that there is not, or that is being deleted. */
    private void requireFree(String tenant) {
        table.requireTenant(tenant);
        if (deleting.contains(tenant)) {
            throw new BrokerException(ErrorKind.SERVICE_NOT_READY, "tenant " + tenant + " is being deleted: try again");
        }
    }

    /** Once that is done, nothing is made in that tenant, which is going to be deleted with what it has. */
    CompletionStage<Void> beginDeletion(String tenant) {
        return ofTenants.take(tenant, () -> {
            requireFree(tenant);
            if (making.keySet().stream().anyMatch(made -> made.tenant().equals(tenant))) {
                throw new BrokerException(
                        ErrorKind.SERVICE_NOT_READY, "a namespace of " + tenant + " is being made: try again");
            }
            namespaces(tenant).forEach(this::requireDeletable);
            deleting.add(tenant);
            return CompletableFuture.completedFuture(null);
        });
    }

    void endDeletion(String tenant) {
        deleting.remove(tenant);
    }

    List<NamespaceName> namespaces(String tenant) {
        table.requireTenant(tenant);
        return table.namespaces.keySet().stream()
                .filter(name -> name.tenant().equals(tenant))
                .toList();
    }

    boolean exists(NamespaceName name) {
        return table.namespaces.containsKey(name);
    }

    Map<String, String> policies(NamespaceName name) {
        return table.require(name);
    }

    /** Makes a namespace in a tenant that there is. */
    CompletionStage<Void> createNamespace(NamespaceName name, Map<String, String> policies) {
        CompletionStage<Void> made = making.get(name);
        if (made != null) {
            return Outcomes.after(made, () -> createNamespace(name, policies));
        }
        table.requireTenant(name.tenant());
        if (exists(name)) {
            throw new BrokerException(ErrorKind.CONFLICT, "Namespace already exists: " + name);
        }
        return make(name, Map.copyOf(policies));
    }

    /** Makes a namespace with its tenant, unless it is there. */
    CompletionStage<Void> ensureNamespace(NamespaceName name) {
        CompletionStage<Void> made = making.get(name);
        if (made != null) {
            return made;
        }
        return exists(name) ? CompletableFuture.completedFuture(null) : make(name, Map.of());
    }

    /** Does something in a namespace: one that is not there is made, if that is what the settings say, else it is refused. */
    <R> CompletionStage<R> in(NamespaceName name, Supplier<CompletionStage<R>> verb) {
        changing.requireFree(name);
        if (!exists(name) && shared.settings().namespaces()) {
            return ensureNamespace(name).thenCompose(made -> in(name, verb));
        }
        table.require(name);
        return verb.get();
    }

    /**
     * The same.
     *
     * @param check refuses what cannot be done, before a namespace is made for it
     */
    <R> CompletionStage<R> in(NamespaceName name, Runnable check, Supplier<CompletionStage<R>> verb) {
        if (!exists(name) && shared.settings().namespaces()) {
            check.run();
        }
        return in(name, verb);
    }

    /** Does something with namespaces when no change of their policies is under way, and no deletion. */
    CompletionStage<Void> inTurn(List<NamespaceName> names, Supplier<CompletionStage<Void>> verb) {
        return ofNamespaces.takeAll(names.stream().sorted().toList(), verb);
    }

    private CompletionStage<Void> make(NamespaceName name, Map<String, String> policies) {
        changing.requireFree(name);
        if (table.tenants.containsKey(name.tenant())) {
            requireFree(name.tenant());
        }
        shared.requireRoom();
        requireValid(policies, policies);
        CompletableFuture<Void> made = new CompletableFuture<>();
        making.put(name, made);
        CompletionStage<Void> stored = table.tenants.containsKey(name.tenant())
                ? store(name, policies)
                : ofTenants.take(name.tenant(), () -> store(name, policies));
        stored.whenComplete((done, failure) -> {
            making.remove(name);
            if (failure == null) {
                table.add(name, policies);
                LOG.info("Created namespace {}", name);
                made.complete(null);
            } else {
                made.completeExceptionally(failure);
            }
        });
        return made;
    }

    /** Stores it with its tenant, if there is none: that is for the tenant's turn, as another may be making it. */
    private CompletionStage<Void> store(NamespaceName name, Map<String, String> policies) {
        LogChange change = new LogChange().set(StoredNames.namespace(name), StoredNames.encode(policies));
        if (table.tenants.containsKey(name.tenant())) {
            requireFree(name.tenant());
        } else {
            change.set(StoredNames.tenant(name.tenant()), StoredNames.encode(Map.of()));
        }
        return island.home(shared.store(change));
    }

    /** Refuses policies of which one is not valid, and those that are set now and cannot be meant. */
    private void requireValid(Map<String, String> policies, Map<String, String> set) {
        schemas.requireValid(policies);
        TopicPolicies.requireValid(policies);
        TopicPolicies.requireSettable(set);
        try {
            AutoTopics unused = shared.settings().topics().with(policies);
        } catch (IllegalArgumentException e) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, "a policy is not valid: " + e.getMessage(), e);
        }
    }

    /** What becomes of topics in it that there are not. */
    AutoTopics autoTopics(NamespaceName name) {
        return shared.settings().topics().with(table.require(name));
    }

    /** Sets a policy, or removes it. */
    CompletionStage<Void> setPolicy(NamespaceName name, String key, @Nullable String value) {
        PolicyChange change = new PolicyChange(Set.of(key), value == null ? Map.of() : Map.of(key, value));
        return changePolicies(name, kept -> change);
    }

    /** Changes policies by what they are: no other change comes between. */
    CompletionStage<Void> changePolicies(NamespaceName name, Function<Map<String, String>, PolicyChange> change) {
        return ofNamespaces.take(
                name, () -> in(name, () -> requireWorth(name, change.apply(Map.of())), () -> changeNow(name, change)));
    }

    /** Refuses what no namespace is made for: to remove policies, or to set some that are not valid. */
    private void requireWorth(NamespaceName name, PolicyChange wanted) {
        if (wanted.set().isEmpty()) {
            table.require(name);
        }
        requireValid(wanted.set(), wanted.set());
    }

    private CompletionStage<Void> changeNow(NamespaceName name, Function<Map<String, String>, PolicyChange> change) {
        Map<String, String> before = table.require(name);
        Map<String, String> policies = new HashMap<>(before);
        PolicyChange wanted = change.apply(Map.copyOf(policies));
        policies.keySet().removeAll(wanted.removed());
        policies.putAll(wanted.set());
        requireValid(policies, wanted.set());
        Map<String, String> kept = Map.copyOf(policies);
        byte[] texts = StoredNames.encode(kept);
        requireRoom(texts, before);
        LogChange stored = new LogChange().set(StoredNames.namespace(name), texts);
        return island.home(shared.store(stored)).thenAccept(done -> table.add(name, kept));
    }

    /** Refuses large texts that are larger than those of before, if there is no memory for them. */
    private void requireRoom(byte[] texts, Map<String, String> before) {
        if (texts.length > FREE_TEXT_BYTES && texts.length > StoredNames.encode(before).length) {
            shared.requireRoom();
        }
    }

    /** Refuses one that is not there, or always. */
    void requireDeletable(NamespaceName name) {
        table.require(name);
        if (table.isBuiltIn(name)) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, "namespace " + name + " is always there");
        }
    }

    /** Deletes a namespace without topics that are stored; in its turn. */
    CompletionStage<Void> deleteNamespace(NamespaceName name) {
        requireDeletable(name);
        if (!topicsOf(name).isEmpty() || table.hasPartitioned(name) || changing.isBusy(name) || schemas.isBusy(name)) {
            throw notEmpty(name);
        }
        changing.beginDeletion(name);
        return deleteNow(List.of(name), List.of(), null).whenComplete((done, failure) -> changing.endDeletion(name));
    }

    /** The full names of its stored topics, partitions one by one. */
    List<String> topicsOf(NamespaceName name) {
        String prefix = name.topicPrefix(TopicName.Domain.PERSISTENT);
        return shared.log().topicNames(topic -> topic.startsWith(prefix));
    }

    static BrokerException notEmpty(NamespaceName name) {
        return new BrokerException(ErrorKind.CONFLICT, "Cannot delete non empty namespace " + name);
    }

    /**
     * Deletes namespaces that nothing is under way with, their topics, which are closed, and the tenant whose they all are,
     * if it is given: one change.
     */
    CompletionStage<Void> deleteNow(List<NamespaceName> names, List<String> topics, @Nullable String tenant) {
        LogChange change = new LogChange();
        List<TopicName> left = new ArrayList<>();
        List<TopicName> partitioned = new ArrayList<>();
        for (NamespaceName name : names) {
            change.remove(StoredNames.namespace(name));
            left.addAll(table.topicsWithTexts(name));
            partitioned.addAll(table.partitionedOf(name));
        }
        left.forEach(topic -> change.remove(StoredNames.topic(topic)));
        partitioned.forEach(topic -> change.remove(StoredNames.partitioned(topic)));
        topics.forEach(change::deleteTopic);
        if (tenant != null) {
            change.remove(StoredNames.tenant(tenant));
        }
        return schemas.deleteWith(names, change).thenAccept(done -> {
            names.forEach(table::remove);
            left.forEach(topic -> table.putTexts(topic, Map.of()));
            partitioned.forEach(table::remove);
            if (tenant != null) {
                table.removeTenant(tenant);
            }
        });
    }
}
