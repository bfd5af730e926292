/**
 * From a graph as users put it together to a run of it.
 *
 * <p><b>Vocabulary</b>. <i>Blueprint</i>: the immutable description of a graph; each operator adds to what came before and shares it. <i>Line</i>: a stage
 * and the synchronous operators behind it. <i>Fusion</i>: lines become segments, trees of junctions become one junction. <i>Plan</i>: dense arrays of stages, attributes,
 * edges and islands, compiled once and run any number of times. <i>Constant line</i>: a
 * graph whose plan others have that are made of the same. <i>Value program</i>: how the materialized value is made from those of the stages.
 *
 * <pre>
 *   Source, Flow, Sink ...        once for a blueprint                             for each run
 *
 *   Blueprint --PlanCompiler--> FlatGraph --Fusion--> Plan --Materialization--> islands with stages, edges, boundaries
 *                (one walk)     lines, EdgeTable   segments,                        |
 *                                                  JunctionTrees                    +--> ValueProgram: the materialized value
 * </pre>
 *
 * <p><b>Read</b> Blueprint, BlueprintGraph; PlanCompiler with FlatGraph and EdgeTable; Fusion, JunctionTrees; Plan, ValueProgram; PlanTable; Materialization.
 */
@NullMarked
package io.millrace.streams.engine.plan;

import org.jspecify.annotations.NullMarked;
