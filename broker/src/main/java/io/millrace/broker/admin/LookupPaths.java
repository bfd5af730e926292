package io.millrace.broker.admin;

import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.wire.admin.LookupData;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Lookup for clients whose service URL is that of HTTP: always this broker. */
final class LookupPaths {
    private static final String LOOKUP = "/lookup/v2/topic/{domain}" + TopicPath.TOPIC;
    /** Every topic is in the one bundle of its namespace. */
    static final String BUNDLE = "0x00000000_0xffffffff";

    private final Namespaces namespaces;
    private final Addresses addresses;

    LookupPaths(Namespaces namespaces, Addresses addresses) {
        this.namespaces = namespaces;
        this.addresses = addresses;
    }

    void addTo(Routes routes) {
        routes.get(LOOKUP, this::lookUp).get(LOOKUP + "/bundle", request -> {
            var unused = TopicPath.topic(request);
            return CompletableFuture.completedFuture(Response.text(BUNDLE));
        });
    }

    private CompletionStage<Response> lookUp(Request request) {
        String broker = addresses.broker(request.host(), request.query("listenerName", ""));
        String http = addresses.http(request.host());
        return namespaces
                .lookUp(TopicPath.topic(request))
                .thenApply(done -> Json.answer(new LookupData(broker, null, http, null)));
    }
}
