/**
 * Synchronous operators that run as one stage, and their specialisation.
 *
 * <p><b>Purpose</b>: an element passes through a row of synchronous operators in one call, without an event between them, and once the row is
 * hot, without a call that the virtual machine cannot inline. Plans are made of segments; to the interpreter a segment is a stage like others.
 *
 * <pre>
 *   one object for all runs of a plan                     one object for each run
 *
 *   SegmentStage --- Segment                              SegmentRun: the phase; extends SegmentLine:
 *                      | operators                          | input: Edge, Boundary, OriginInput; or Expanding over one
 *                      | steps:  Step Step ... Terminal     | states: one for each step that has any
 *                      | body:   SegmentBody  <------------ | output: Edge, Boundary, or none
 *                                  |                        | SegmentEnd: what the steps still have to say, once it ends
 *                                  |                        | SegmentBatch: what comes out, as a batch for the stage below
 *                                  +-- SegmentChain: calls the steps in a loop
 *                                  +-- SegmentProfiler: the same, and looks at what passes, when 100 000 elements have
 *                                  +-- SegmentTemplate: the straight line, defined again by Specialiser with a HotLine of constants
 *                                  +-- KindTemplate: the same with the kinds of steps as constants, where functions have captured something
 *                                  +-- BatchTerminal: a loop of the operator's own
 * </pre>
 *
 * <p><b>Vocabulary</b>. <i>Step</i>: a synchronous operator as data; its state is an object for each run. <i>Head</i>: what stands before the first step and
 * makes elements: an <i>origin</i> out of nothing, an <i>expansion</i> many of one. <i>Terminal</i>: the last step of a segment that ends the stream, which has a
 * result. <i>Body</i>: how the steps are called. <i>Hot</i>: so many elements have passed, over all runs, that a class of its own pays. <i>Specialised</i>: the form of a
 * step or of a body that is for one hot segment alone. <i>Prelude</i>: what a step emits before its first element; <i>flush</i>: what it emits after the last one.
 *
 * <p><b>Read</b> Step, StepStage and one operator (a filter); Origin, Expansion, Terminal and their stages; Segment; SegmentRun with SegmentLine, SegmentEnd, OriginInput and Expanding;
 * SegmentBody, SegmentChain, SegmentBatch; SegmentTemplate, HotLine, Specialiser, SegmentProfiler, NewObjects, BatchTerminal. What shares a class: ShapeTable, SegmentShape, ShapeKey, StepIdentity; FunctionStep, StepKind,
 * KindTemplate.
 */
@NullMarked
package io.millrace.streams.engine.segment;

import org.jspecify.annotations.NullMarked;
