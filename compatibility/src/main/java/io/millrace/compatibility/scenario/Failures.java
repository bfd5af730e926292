package io.millrace.compatibility.scenario;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.pulsar.client.admin.PulsarAdminException;

/** What programs act on of a failure: its class, and the status if it came over HTTP. Words are for people, and each broker has its own. */
final class Failures {
    private Failures() {}

    static String of(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String name = cause.getClass().getSimpleName();
        return cause instanceof PulsarAdminException refusal ? name + " " + refusal.getStatusCode() : name;
    }
}
