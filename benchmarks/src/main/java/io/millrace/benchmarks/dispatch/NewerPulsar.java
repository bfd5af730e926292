package io.millrace.benchmarks.dispatch;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Pulsar 5.0.1's map, whose class files need a JDK 25 and whose jar therefore stands on no class path: the build puts it
 * into {@code benchmarks/target/peers}.
 */
final class NewerPulsar extends URLClassLoader {
    private static final int NEEDED_JDK = 25;
    private static final String ADAPTER = "io.millrace.benchmarks.dispatch.PulsarIndex";
    private static final String MAP = "org.apache.pulsar.broker.service.PendingAck";

    private NewerPulsar(Path jar) throws MalformedURLException {
        super(new URL[] {jar.toUri().toURL()}, NewerPulsar.class.getClassLoader());
    }

    static boolean isThere() {
        return Runtime.version().feature() >= NEEDED_JDK && Files.exists(jar());
    }

    static PendingIndex index() {
        try {
            return (PendingIndex) Loaded.ADAPTER.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the newer Pulsar's map cannot be used", e);
        }
    }

    /** Its classes, loaded once: with a loader for each index they would never be compiled. */
    private static final class Loaded {
        static final Class<?> ADAPTER;

        static {
            try {
                ADAPTER = new NewerPulsar(jar()).loadClass(NewerPulsar.ADAPTER);
            } catch (IOException | ClassNotFoundException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    private static Path jar() {
        return Path.of(System.getProperty("millrace.home", "."), "benchmarks/target/peers/pulsar-broker-5.0.1.jar");
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            if (name.startsWith(MAP)) {
                return findClass(name);
            }
            return name.equals(ADAPTER) ? adapter() : super.loadClass(name, resolve);
        }
    }

    /** The adapter's own class file, defined once more beside the newer map. */
    private Class<?> adapter() throws ClassNotFoundException {
        String file = "/" + ADAPTER.replace('.', '/') + ".class";
        try (InputStream in = NewerPulsar.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(file);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(ADAPTER, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(file, e);
        }
    }
}
