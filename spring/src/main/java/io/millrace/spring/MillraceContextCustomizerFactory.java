package io.millrace.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.FullyQualifiedAnnotationBeanNameGenerator;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.util.ClassUtils;

/** Adds the broker to the contexts of tests that are annotated. Spring finds it by itself. */
final class MillraceContextCustomizerFactory implements ContextCustomizerFactory {
    private static final String BOOT_4 = "org.springframework.boot.pulsar.autoconfigure.PulsarConnectionDetails";

    /** Made by Spring. */
    MillraceContextCustomizerFactory() {}

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> test, List<ContextConfigurationAttributes> configuration) {
        return TestContextAnnotationUtils.hasAnnotation(test, AutoConfigureMillrace.class) ? new Customizer() : null;
    }

    /** All are equal, so that tests share contexts that differ in nothing else. */
    private record Customizer() implements ContextCustomizer {
        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            boolean isBoot4 = ClassUtils.isPresent(BOOT_4, context.getClassLoader());
            AnnotatedBeanDefinitionReader reader =
                    new AnnotatedBeanDefinitionReader((BeanDefinitionRegistry) context.getBeanFactory());
            // The application may have classes of these names.
            reader.setBeanNameGenerator(FullyQualifiedAnnotationBeanNameGenerator.INSTANCE);
            reader.register(BrokerConfiguration.class, isBoot4 ? Boot4Configuration.class : Boot3Configuration.class);
        }
    }
}
