/** A Millrace broker for Spring Boot's tests: {@link io.millrace.spring.AutoConfigureMillrace}. */
@NullMarked
package io.millrace.spring;

import org.jspecify.annotations.NullMarked;
