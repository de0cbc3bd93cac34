package io.saltplan.hive;

/** A way to ask saltplan: as a process, or as the module inside this jar. */
interface Planner {
  /** How many requests may be answered at once. */
  int concurrent();

  /** What is done once, before the first request, in a thread of its own. */
  default void prepare() throws PlanFault, InterruptedException {}

  /**
   * What the planner answers to a request. It is called in a thread of its own, which is interrupted when the time is over, and
   * whose death by any exception or error is the reason why there is no plan.
   */
  byte[] answer(byte[] request) throws PlanFault, InterruptedException;
}
