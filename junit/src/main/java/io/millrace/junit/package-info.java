/**
 * A Millrace broker in the process of your tests: {@link io.millrace.junit.Millrace} for JUnit 5 and 6, {@link
 * io.millrace.junit.MillraceService} for everything else.
 */
@NullMarked
package io.millrace.junit;

import org.jspecify.annotations.NullMarked;
