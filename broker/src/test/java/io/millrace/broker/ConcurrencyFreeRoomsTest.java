package io.millrace.broker;

import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names, topics and dispatchers leave concurrency to the library. */
@AnalyzeClasses(packages = "io.millrace.broker", importOptions = ImportOption.DoNotIncludeTests.class)
class ConcurrencyFreeRoomsTest {
    private static final String[] QUIET_ROOMS = {
        "io.millrace.broker.namespace",
        "io.millrace.broker.schema",
        "io.millrace.broker.topic",
        "io.millrace.broker.dispatch"
    };
    private static final Set<String> ALLOWED_CONCURRENCY = Set.of(
            CompletionStage.class.getName(), CompletableFuture.class.getName(), CompletionException.class.getName());

    @ArchTest
    static final ArchRule quietRoomsUseNoThreadExecutorLockOrAtomic = noClasses()
            .that()
            .resideInAnyPackage(QUIET_ROOMS)
            .should()
            .dependOnClassesThat(are(concurrencyPrimitives()));

    @ArchTest
    static final ArchRule quietRoomsHaveNoVolatileField = noFields()
            .that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(QUIET_ROOMS)
            .should()
            .haveModifier(JavaModifier.VOLATILE);

    @ArchTest
    static final ArchRule quietRoomsHaveNoSynchronizedMethod = noMethods()
            .that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(QUIET_ROOMS)
            .should()
            .haveModifier(JavaModifier.SYNCHRONIZED);

    @Test
    void quietRoomsHaveNoSynchronizedBlock() throws IOException {
        Pattern block = Pattern.compile("\\bsynchronized\\s*\\(");
        for (String room : QUIET_ROOMS) {
            try (Stream<Path> files = Files.list(Path.of("src", "main", "java").resolve(room.replace('.', '/')))) {
                List<Path> sources = files.toList();
                assertThat(sources).isNotEmpty();
                for (Path source : sources) {
                    assertThat(Files.readString(source)).as(source.toString()).doesNotContainPattern(block);
                }
            }
        }
    }

    @Test
    void aPrimitiveIsFound() {
        JavaClasses samples = new ClassFileImporter().importClasses(Counting.class);
        ArchRule rule = noClasses().should().dependOnClassesThat(are(concurrencyPrimitives()));
        assertThat(rule.evaluate(samples).hasViolation()).isTrue();
    }

    private record Counting(AtomicLong count) {}

    private static DescribedPredicate<JavaClass> concurrencyPrimitives() {
        return DescribedPredicate.describe(
                "threads, executors, locks, atomics or variable handles",
                type -> type.isAssignableTo(Thread.class)
                        || type.isAssignableTo(VarHandle.class)
                        || (type.getPackageName().startsWith("java.util.concurrent")
                                && !ALLOWED_CONCURRENCY.contains(type.getName())));
    }
}
