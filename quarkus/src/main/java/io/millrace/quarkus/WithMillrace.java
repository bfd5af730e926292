package io.millrace.quarkus;

import io.quarkus.test.common.QuarkusTestResource;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the application of a {@code @QuarkusTest} a Millrace broker in the process of the tests, in place of the container that Quarkus would
 * start, and has Quarkus messaging for Pulsar connect to it. Test classes that share an application share its broker. Fields of the test that
 * are a {@link io.millrace.junit.MillraceService} are set to it.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@QuarkusTestResource(MillraceTestResource.class)
public @interface WithMillrace {}
