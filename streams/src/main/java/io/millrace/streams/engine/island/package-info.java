/**
 * Runs stages: islands, the interpreter, and all ways by which something reaches a stage.
 *
 * <p><b>Vocabulary</b>. <i>Island</i>: the stages between asynchronous boundaries, run by one thread at a time. <i>Edge</i>: an outlet and an inlet within an island.
 * <i>Boundary</i>: the edge between two islands, a bounded ring. <i>Signal</i>: what wakes an island: a boundary, a timer, a mailbox. <i>Turn</i>: one stay of an island on a
 * thread. <i>Batch</i>: elements that go over an edge by calls ({@code engine.batch}).
 *
 * <pre>
 *   any thread                          one island                                        another island
 *
 *   tell, invoke --> Mailbox --+
 *   timer -------> StageTimers +--> SignalQueue --> Island: one turn
 *   boundary ------------------+                      |  takes a signal, then runs to rest
 *                                                     v
 *                                                Interpreter --> EventQueue of Edges --> handlers of stages
 *                                                     |                                  (StageContext each)
 *                                                     +---------------------------------> Boundary --> its signal
 *
 *   Engine: settings, threads, all runs      StreamRun: the islands of one run, and how they end together
 * </pre>
 *
 * <p>A stage's logic calls its {@link StageContext} through {@code stage.StageBinding}, and is bound to it as it is made by the {@code stage.StageScope} that the thread
 * is in. An island knows plans and segments only as a {@link StreamLayout} and a {@link CompositeLogic}.
 *
 * <p><b>Read</b> Interpreter (its header draws edges and batches), Edge, EventQueue; Island, SignalQueue, Signal; StageContext, ResourceList; Mailbox, StageActor; StageTimers,
 * StageWakeUp; Boundary with BoundaryEntry and BoundaryExit; SubstreamInput, SubstreamOutput; StreamRun, Engine, Closing with Waking.
 */
@NullMarked
package io.millrace.streams.engine.island;

import org.jspecify.annotations.NullMarked;
