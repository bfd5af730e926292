package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.common.util.ObjectMapperFactory;
import org.jspecify.annotations.Nullable;

/**
 * A policy of namespaces or of topics: the calls that tell it, set it and remove it, with the name that they are called for.
 *
 * @param name what its calls are named for, as {@code Retention}
 */
record Policy(
        String name, Getter getter, Setter setter, @Nullable Setter remover) {
    /** Policies of topics are followed a moment after they are set. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A call that tells the policy of a namespace or topic. */
    @FunctionalInterface
    interface Getter {
        @Nullable
        Object of(Context context, String name) throws Exception;
    }

    /** A call that changes it. */
    @FunctionalInterface
    interface Setter {
        void change(Context context, String name) throws Exception;
    }

    /** Tells it as it is at first, set, and removed. */
    void tell(Context context, String name) throws Exception {
        context.callJson("at first", () -> getter.of(context, name));
        change(context, "set", setter, name);
        context.callJson("then", () -> getter.of(context, name));
        if (remover != null) {
            change(context, "remove", remover, name);
            context.callJson("at last", () -> getter.of(context, name));
        }
    }

    /** The same of what is not there. */
    void refuse(Context context, String key, String name) {
        context.run(key + ", get", () -> getter.of(context, name));
        context.run(key + ", set", () -> setter.change(context, name));
    }

    private void change(Context context, String key, Setter verb, String name) throws Exception {
        String before = told(context, name);
        boolean[] done = {false};
        context.run(key, () -> {
            verb.change(context, name);
            done[0] = true;
        });
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (done[0] && told(context, name).equals(before) && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private String told(Context context, String name) throws Exception {
        Callable<@Nullable Object> call = () -> getter.of(context, name);
        try {
            return ObjectMapperFactory.getMapper().writer().writeValueAsString(call.call());
        } catch (PulsarAdminException e) {
            return "refused with " + e.getStatusCode();
        }
    }
}
