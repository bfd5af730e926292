package io.millrace.junit;

import io.millrace.broker.inspect.ClientSnapshot;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The service of a test class, or of a method that has one of its own, and the clients made for it. JUnit closes it with the store that holds
 * it.
 *
 * <p><b>Threads</b>: those of the tests. <b>Shared</b>: {@code client} and {@code admin}, under the monitor.
 */
final class ClassService implements ExtensionContext.Store.CloseableResource, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Millrace.class.getName());

    /** How long a client may take to close; most of that its threads take, whose end nobody waits for. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ExtensionContext context;
    private final Millrace settings;
    private final MillraceService service;
    private @Nullable InjectedClient client;
    private @Nullable InjectedAdmin admin;

    private ClassService(ExtensionContext context, Millrace settings, MillraceService service) {
        this.context = context;
        this.settings = settings;
        this.service = service;
    }

    static ClassService start(ExtensionContext context, Millrace settings) {
        Path data = settings.data().isEmpty() ? null : Path.of(settings.data());
        Class<?> test = context.getRequiredTestClass();
        MillraceService service;
        if (settings.lifetime() == Lifetime.JVM) {
            service = data == null ? MillraceService.shared(test) : MillraceService.shared(test, data);
        } else {
            service = data == null ? MillraceService.start() : MillraceService.start(data);
        }
        return new ClassService(context, settings, service);
    }

    MillraceService service() {
        return service;
    }

    synchronized Object client() {
        if (client == null) {
            client = InjectedClient.connect(service.serviceUrl());
        }
        return client.client();
    }

    synchronized Object admin() {
        if (admin == null) {
            admin = InjectedAdmin.connect(service.httpServiceUrl());
        }
        return admin.admin();
    }

    /** Tells what is left open, and closes what was made whatever comes of that; a failure holds the later ones as suppressed. */
    @Override
    public synchronized void close() {
        InjectedClient made = client;
        InjectedAdmin madeAdmin = admin;
        try (service;
                madeAdmin;
                made) {
            if (settings.whenLeftOpen() != WhenLeftOpen.IGNORE) {
                tell(leftOpen(made));
            }
        }
    }

    private LeftOpen leftOpen(@Nullable InjectedClient made) {
        if (made == null) {
            return service.leftOpen(settings.unacked(), client -> false);
        }
        String mark = made.mark();
        return made.isMarked()
                ? service.leftOpen(
                        settings.unacked(), client -> client.version().endsWith(mark))
                : leftOpenBesides(made);
    }

    /** With a client that the broker cannot tell from others: what all have open in them, and who is there without that one. */
    private LeftOpen leftOpenBesides(InjectedClient made) {
        LeftOpen inside = service.leftOpen(settings.unacked(), client -> true);
        Set<String> told =
                inside.clients().stream().map(ClientSnapshot::address).collect(Collectors.toSet());
        CompletableFuture<Void> closing = made.closing();
        long end = System.nanoTime() + CLOSE_NANOS;
        LeftOpen others;
        do {
            others = service.leftOpen(false, client -> told.contains(client.address()));
        } while (!others.isEmpty()
                && !closing.isDone()
                && System.nanoTime() - end < 0
                && !Thread.currentThread().isInterrupted());
        Stream<ClientSnapshot> untold = others.clients().stream().filter(client -> !told.contains(client.address()));
        return new LeftOpen(Stream.concat(inside.clients().stream(), untold).toList(), inside.unacked());
    }

    private void tell(LeftOpen left) {
        if (left.isEmpty()) {
            return;
        }
        String text = context.getDisplayName() + " left open on its broker:" + left;
        if (settings.whenLeftOpen() == WhenLeftOpen.FAIL) {
            throw new AssertionError(text);
        }
        context.publishReportEntry("millrace", text);
        LOG.log(Level.WARNING, text);
    }
}
