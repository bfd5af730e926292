/**
 * Runs tasks on threads. An island is a task to this package, which knows nothing else of it.
 *
 * <p><b>Words</b>, as schedulers use them:
 *
 * <ul>
 *   <li><b>task</b>: a {@code Runnable} that is run again each time somebody gives it.
 *   <li><b>worker</b>: a thread of the pool. It <b>searches</b> while it has no task, then <b>parks</b>; another thread
 *       <b>unparks</b> it.
 *   <li><b>inject queue</b>: the tasks that any worker may take, first in, first out.
 *   <li><b>run next</b>: a task for the same worker, right after the one that is running. It stands in the worker's
 *       <b>run-next slot</b>.
 *   <li><b>requeue</b>: the running task goes to the end of the inject queue.
 *   <li><b>steal</b>: to take a task out of another thread's run-next slot. Only the monitor does.
 *   <li><b>deferred</b>: a task that is kept back, as the thread which gave it may be about to wait for its result. If it does, it <b>helps</b>: it runs the task
 *       itself.
 *   <li><b>turn</b>: one run of a task on one thread. A <b>long</b> turn has lasted for a millisecond and is asked to <b>yield</b>.
 *   <li><b>loop</b>: what passes many elements within a turn. A class of loops has a <b>watch</b>: while it is off, its loops do not look whether the turn
 *       is long.
 *   <li><b>postponed</b>: work that the running task will do later in its turn. The monitor does it if that is too late.
 *   <li><b>monitor</b>: one thread of each runtime. It checks all turns once a millisecond, and parks when nothing changes.
 *   <li><b>stand-in</b>: a thread from elsewhere that takes tasks while functions block the workers or compute for long.
 * </ul>
 *
 * <pre>{@code
 *   any thread               a task in its turn
 *   execute(task)            requeue(itself)      runNext(other)
 *        |                         |                    |
 *        v                         v                    v
 *   +----------------------------------+  steal  +---------------+
 *   | inject queue: a ring, then a     | <------ | run-next slot |  one for each worker,
 *   | list for what it has no room for | monitor +---------------+  for one task
 *   +----------------------------------+                |
 *        | poll             | poll                      | take: 16 in a row at most
 *        v                  v                           |
 *   +----------+       +----------+                     |
 *   | stand-in |       |  worker  | <-------------------+
 *   +----------+       +----------+
 *
 *   A worker:        finds a task                        The monitor, once a millisecond:
 *                 +----------------> RUNNING             - a task is deferred -> submits it
 *                 |                     |                - a turn lasts       -> asks it to yield
 *       start     |                     |                - a loop lasts       -> turns its watch on
 *         |       |                     |                - work is postponed  -> does it
 *         |       |   no task is left   |                - a slot stays full  -> steals the task
 *         +--> SEARCHING <--------------+                - nobody takes tasks -> unparks a worker;
 *              |  |   ^                                    if none is idle, starts a stand-in
 *      closed  |  |   |
 *    +---------+  |   |
 *    v       park |   | unpark
 *   ENDED         v   |
 *              PARKED
 * }</pre>
 *
 * <p><b>Who wakes whom.</b> A thread that adds a task wakes one worker, but only while none searches. A worker that finds a task
 * and was the last that searched wakes the next one. No task is lost between the two: who adds a task looks for searching
 * workers after that, and a worker looks at the queue again after it has stopped to search.
 *
 * <p><b>Order of reading.</b> What the island sees: {@link TaskExecutor}, {@link Dispatcher}, {@link Turn}, {@link Postponed},
 * {@link Cuttable}. Tasks and workers: {@link WorkerPool}, {@link InjectQueue}, {@link RunNextSlot}, {@link Worker}, {@link
 * Workers}, {@link SpinPolicy}, {@link UncaughtFailures}. Against long turns: {@link TurnMonitor}, {@link WatchThread}, {@link TurnTable}, {@link LoopWatch}, {@link
 * StarvationMonitor}, {@link StandIns}. Other threads: {@link BlockingWorkers}, {@link SchedulerTaskExecutor}, {@link TrampolineExecutor}. Who waits for a stream: {@link
 * SpinThenParkFuture}, {@link DeferredTask}, {@link DeferredTasks}.
 */
@NullMarked
package io.millrace.streams.engine.pool;

import org.jspecify.annotations.NullMarked;
