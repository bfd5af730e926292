package io.millrace.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a Millrace broker in its own process. Parameters of its constructors and methods, and fields with this annotation, may
 * be a {@link MillraceService}, a {@link io.millrace.broker.Broker} or, where they are on the class path, a {@code PulsarClient} or a
 * {@code PulsarAdmin}, which are closed after the class. It starts when the first of them is asked for. The settings stand at the class, or, where it has none, at
 * its fields.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
@ExtendWith(MillraceExtension.class)
public @interface Millrace {
    /** How long the broker lives, and with whom it is shared. */
    Lifetime lifetime() default Lifetime.JVM;

    /**
     * The folder in which the broker keeps its messages, also for the next run of the tests; a folder that exists no longer than the broker if
     * left out.
     */
    String data() default "";

    /** What happens when the class leaves clients, producers or consumers open, those of the injected client included. */
    WhenLeftOpen whenLeftOpen() default WhenLeftOpen.REPORT;

    /** Whether messages that were sent to a consumer and not acknowledged count as left open. */
    boolean unacked() default false;
}
