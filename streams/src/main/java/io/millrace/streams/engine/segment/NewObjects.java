package io.millrace.streams.engine.segment;

/**
 * Which objects that a step deals with are made anew for each element, as far as was seen. In the class of a hot segment they need not be made at all, where the step does
 * without.
 *
 * @param taken whether what comes to it is made within the segment
 * @param kept whether what it {@linkplain Step#kept keeps} is made by its function
 */
public record NewObjects(boolean taken, boolean kept) {
    static final NewObjects ALL = new NewObjects(true, true);
}
