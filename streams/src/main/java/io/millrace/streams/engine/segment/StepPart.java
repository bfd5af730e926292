package io.millrace.streams.engine.segment;

/** A step, or what one is made of besides users' functions and numbers. If it is a record, it is the same as another one whose parts are the same. */
public interface StepPart {}
