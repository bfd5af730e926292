package io.millrace.compatibility.scenario;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pulsar.client.admin.PulsarAdmin;

/**
 * Which methods of the admin client scenarios have called, as {@code Topics.getStats}; overloads are one.
 *
 * <p><i>Threads</i>: those of the scenarios call. <i>Shared</i>: {@code called}, a concurrent set.
 */
public final class CalledMethods {
    private final Set<String> called = ConcurrentHashMap.newKeySet();

    /** The names so far, in order. */
    public Set<String> names() {
        return new TreeSet<>(called);
    }

    /** The same admin client, which notes what is called of its parts. */
    PulsarAdmin noting(PulsarAdmin admin) {
        return proxy(PulsarAdmin.class, (unused, method, arguments) -> {
            Object part = invoke(admin, method, arguments);
            return method.getReturnType().isInterface() ? part(method.getReturnType(), part) : part;
        });
    }

    private Object part(Class<?> type, Object part) {
        return proxy(type, (unused, method, arguments) -> {
            called.add(type.getSimpleName() + "." + method.getName());
            return invoke(part, method, arguments);
        });
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
