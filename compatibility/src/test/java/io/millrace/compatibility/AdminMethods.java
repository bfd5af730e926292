package io.millrace.compatibility;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.pulsar.client.admin.Namespaces;
import org.apache.pulsar.client.admin.Schemas;
import org.apache.pulsar.client.admin.Tenants;
import org.apache.pulsar.client.admin.TopicPolicies;
import org.apache.pulsar.client.admin.Topics;

/** The methods of the admin client that are promised, as {@code Topics.getStats}; overloads, and what waits or not, are one. */
final class AdminMethods {
    private static final String ASYNC = "Async";

    private AdminMethods() {}

    /** Those that no scenario calls, each under its reason in the list. */
    static List<String> notCalled(Path list) throws IOException {
        return Files.readAllLines(list).stream()
                .dropWhile(line -> !line.startsWith("#"))
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    /** All of tenants, namespaces, topics, policies of topics, and schemas, but for those that are deprecated. */
    static Set<String> all() {
        Set<String> names = new TreeSet<>();
        Stream.of(Tenants.class, Namespaces.class, Topics.class, TopicPolicies.class, Schemas.class)
                .flatMap(type -> Stream.of(type.getMethods()))
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> !method.isAnnotationPresent(Deprecated.class))
                .forEach(method -> names.add(nameOf(method)));
        return names;
    }

    /** The name without what says that the caller does not wait. */
    static String plain(String name) {
        return name.endsWith(ASYNC) ? name.substring(0, name.length() - ASYNC.length()) : name;
    }

    private static String nameOf(Method method) {
        return method.getDeclaringClass().getSimpleName() + '.' + plain(method.getName());
    }
}
