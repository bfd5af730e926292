package io.millrace.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the application context of a test a Millrace broker in its own process, and has Spring for Apache Pulsar connect to it, whatever the
 * properties say. The broker is as old as its context: tests that share a cached context share it, others do not. It can be autowired as
 * {@link io.millrace.junit.MillraceService}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface AutoConfigureMillrace {}
