package io.millrace.broker.dispatch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A dispatcher has one owner: the library's islands are all the concurrency there is. */
class SingleOwnerTest {
    private static final Set<String> FUTURES = Set.of(
            "java.util.concurrent.CompletableFuture",
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.CompletionException");
    private static final DescribedPredicate<JavaClass> CONCURRENCY = DescribedPredicate.describe(
            "threads, executors, locks and atomics",
            type -> (type.getPackageName().startsWith("java.util.concurrent") && !FUTURES.contains(type.getName()))
                    || type.getName().equals("java.lang.Thread")
                    || type.getName().equals("java.lang.invoke.VarHandle"));

    private final JavaClasses dispatch = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.millrace.broker.dispatch");

    @Test
    void dispatchUsesNoThreadExecutorLockOrAtomic() {
        noClasses().should().dependOnClassesThat(CONCURRENCY).check(dispatch);
    }

    @Test
    void dispatchHasNoVolatileFieldAndNoSynchronizedMethod() {
        noFields().should().haveModifier(JavaModifier.VOLATILE).check(dispatch);
        noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(dispatch);
    }
}
