package io.millrace.quarkus;

import io.millrace.junit.MillraceService;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The broker of an application under test. Quarkus makes, starts and stops it, one after the other. */
public final class MillraceTestResource implements QuarkusTestResourceLifecycleManager {
    private @Nullable MillraceService service;

    /** Made by Quarkus. */
    public MillraceTestResource() {}

    @Override
    public Map<String, String> start() {
        MillraceService started = MillraceService.start();
        service = started;
        return Map.of(
                "pulsar.client.serviceUrl", started.serviceUrl(), "pulsar.admin.serviceUrl", started.httpServiceUrl());
    }

    @Override
    public void inject(TestInjector fields) {
        if (service != null) {
            fields.injectIntoFields(service, field -> field.getType() == MillraceService.class);
        }
    }

    @Override
    public void stop() {
        if (service != null) {
            service.close();
            service = null;
        }
    }
}
