package io.millrace.junit;

import io.millrace.broker.Broker;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.commons.support.AnnotationSupport;

/** What {@link Millrace} does in JUnit: starts the service when it is first asked for, and hands out what belongs to it. */
final class MillraceExtension
        implements BeforeAllCallback, TestInstancePostProcessor, BeforeEachCallback, ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(MillraceExtension.class);
    private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";
    private static final String CLIENT = "org.apache.pulsar.client.api.PulsarClient";
    private static final String ADMIN = "org.apache.pulsar.client.admin.PulsarAdmin";

    /** The outermost context of the class that has the annotation, which may be around the one that runs. */
    private record Owner(ExtensionContext context, Millrace settings) {
        boolean isOfMethod() {
            return settings.lifetime() == Lifetime.METHOD;
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        inject(context.getRequiredTestClass(), null, owner(context), context);
    }

    @Override
    public void postProcessTestInstance(Object instance, ExtensionContext context) {
        Owner owner = owner(context);
        if (!owner.isOfMethod()) {
            inject(instance.getClass(), instance, owner, context);
        }
    }

    /** Also what was set before: an extension that stands at fields alone is not there when instances are made. */
    @Override
    public void beforeEach(ExtensionContext context) {
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            if (!AnnotationSupport.findAnnotatedFields(instance.getClass(), Millrace.class)
                    .isEmpty()) {
                injectBefore(context, instance);
            }
        }
    }

    private static void injectBefore(ExtensionContext method, Object instance) {
        ExtensionContext around = contextOf(instance, method);
        Owner owner = owner(around);
        if (owner.isOfMethod() && isOfAllMethods(around) && isAmongOthers(method)) {
            throw new ExtensionConfigurationException(instance.getClass().getName()
                    + " has one instance for all its methods, and @Millrace cannot set its fields for methods that run"
                    + " at once: use parameters of the methods");
        }
        inject(instance.getClass(), instance, owner, method);
    }

    /** That of the class of an instance, which may be around the one that runs. */
    private static ExtensionContext contextOf(Object instance, ExtensionContext context) {
        Optional<ExtensionContext> found = Optional.of(context);
        while (found.isPresent()
                && found.get()
                        .getTestClass()
                        .filter(type -> type.isInstance(instance))
                        .isEmpty()) {
            found = found.get().getParent();
        }
        return found.orElse(context);
    }

    private static boolean isOfAllMethods(ExtensionContext context) {
        return context.getTestInstanceLifecycle()
                .filter(TestInstance.Lifecycle.PER_CLASS::equals)
                .isPresent();
    }

    private static boolean isAmongOthers(ExtensionContext method) {
        return method.getExecutionMode() == ExecutionMode.CONCURRENT
                && method.getConfigurationParameter(PARALLEL)
                        .filter(Boolean::parseBoolean)
                        .isPresent();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return isInjected(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return value(parameter.getParameter().getType(), owner(context), context);
    }

    private static void inject(Class<?> test, @Nullable Object instance, Owner owner, ExtensionContext context) {
        for (Field field : AnnotationSupport.findAnnotatedFields(test, Millrace.class)) {
            if (Modifier.isStatic(field.getModifiers()) == (instance == null)) {
                set(field, instance, owner, context);
            }
        }
    }

    private static void set(Field field, @Nullable Object instance, Owner owner, ExtensionContext context) {
        if (!isInjected(field.getType()) || Modifier.isFinal(field.getModifiers())) {
            throw new ExtensionConfigurationException("@Millrace sets fields that are not final and of the type"
                    + " MillraceService, Broker, PulsarClient or PulsarAdmin, but this is: " + field);
        }
        try {
            field.setAccessible(true);
            field.set(instance, value(field.getType(), owner, context));
        } catch (IllegalAccessException e) {
            throw new ExtensionConfigurationException("@Millrace cannot set " + field, e);
        }
    }

    private static boolean isInjected(Class<?> type) {
        return type == MillraceService.class
                || type == Broker.class
                || type.getName().equals(CLIENT)
                || type.getName().equals(ADMIN);
    }

    private static Object value(Class<?> type, Owner owner, ExtensionContext context) {
        ClassService found = service(owner, context);
        if (type == MillraceService.class) {
            return found.service();
        }
        if (type == Broker.class) {
            return found.service().broker();
        }
        return type.getName().equals(ADMIN) ? found.admin() : found.client();
    }

    private static ClassService service(Owner owner, ExtensionContext context) {
        if (owner.isOfMethod() && context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException(
                    "the broker of " + context.getDisplayName() + " lives as long as a test method, so neither a"
                            + " constructor, nor a static field, nor a method"
                            + " around all tests can have it");
        }
        ExtensionContext holder = owner.isOfMethod() ? context : owner.context();
        List<Object> key = List.of(ClassService.class, owner.context().getRequiredTestClass());
        return holder.getStore(NAMESPACE)
                .getOrComputeIfAbsent(key, k -> ClassService.start(holder, owner.settings()), ClassService.class);
    }

    /** Of the innermost class that says something; where fields alone have the annotation and say nothing, of the outermost. */
    private static Owner owner(ExtensionContext context) {
        Owner found = null;
        Optional<ExtensionContext> next = Optional.of(context);
        while (next.isPresent() && (found == null || isOfPlainFields(found) || isSameClass(found, next.get()))) {
            ExtensionContext here = next.get();
            Optional<Millrace> settings = settings(here);
            if (settings.isPresent()) {
                found = new Owner(here, settings.get());
            }
            next = here.getParent();
        }
        if (found == null) {
            throw new ExtensionConfigurationException(
                    context.getDisplayName() + " has the annotation @Millrace nowhere");
        }
        return found;
    }

    private static boolean isOfPlainFields(Owner owner) {
        return isPlain(owner.settings())
                && !AnnotationSupport.isAnnotated(owner.context().getRequiredTestClass(), Millrace.class);
    }

    private static boolean isSameClass(Owner owner, ExtensionContext other) {
        return other.getTestClass().equals(owner.context().getTestClass());
    }

    /** Those at the class; without them, those at its fields. */
    private static Optional<Millrace> settings(ExtensionContext context) {
        if (context.getTestClass().isEmpty()) {
            return Optional.empty();
        }
        Class<?> test = context.getTestClass().get();
        Optional<Millrace> ofClass = AnnotationSupport.findAnnotation(test, Millrace.class);
        List<Millrace> ofFields = AnnotationSupport.findAnnotatedFields(test, Millrace.class).stream()
                .flatMap(field -> AnnotationSupport.findAnnotation(field, Millrace.class).stream())
                .distinct()
                .toList();
        boolean isOneSaying = ofClass.isPresent()
                ? ofFields.stream().allMatch(field -> field.equals(ofClass.get()) || isPlain(field))
                : ofFields.size() <= 1;
        if (!isOneSaying) {
            throw new ExtensionConfigurationException(
                    test.getName() + " has @Millrace with different settings: say them once, at the class");
        }
        return ofClass.isPresent() ? ofClass : ofFields.stream().findFirst();
    }

    private static boolean isPlain(Millrace settings) {
        return settings.lifetime() == Lifetime.JVM
                && settings.data().isEmpty()
                && settings.whenLeftOpen() == WhenLeftOpen.REPORT
                && !settings.unacked();
    }
}
