package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The one jar says of each class in it whose it is, and has the text of every licence. */
final class LicencesIT {
    private static final String META = "META-INF/";
    private static final String VERSION_FOLDER = "META-INF/versions/\\d+/";

    /** The classes of a component, and where the text of its licence is. */
    private record Component(String folder, String text) {
        static Component of(String line) {
            String[] columns = line.split(" ; ");
            assertThat(columns).as(line).hasSize(4);
            return new Component(columns[0], META + columns[3]);
        }
    }

    @Test
    void everyClassHasAComponentAndEveryComponentALicence() throws IOException {
        try (JarFile jar = new JarFile(System.getProperty("millrace.jar"))) {
            List<Component> components = text(jar, META + "licenses/components.txt")
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Component::of)
                    .toList();
            Set<Component> used = new HashSet<>();
            List<String> unknown = jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.replaceFirst(VERSION_FOLDER, ""))
                    .filter(name -> components.stream()
                            .filter(component -> name.startsWith(component.folder))
                            .findFirst()
                            .map(used::add)
                            .isEmpty())
                    .toList();
            assertThat(unknown).as("classes that components.txt does not know").isEmpty();
            assertThat(components).as("components that the jar has no more").allMatch(used::contains);
            for (Component component : components) {
                assertThat(text(jar, component.text)).as(component.folder).contains("opyright");
            }
        }
    }

    private static String text(JarFile jar, String name) throws IOException {
        ZipEntry entry = jar.getEntry(name);
        assertThat(entry).as(name).isNotNull();
        return new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
    }
}
