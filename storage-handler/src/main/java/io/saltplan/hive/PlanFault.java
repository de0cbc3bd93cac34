package io.saltplan.hive;

/** There is no plan, for this reason. */
class PlanFault extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean isOfPlanner;

  /** The planner itself does not work. After some of these it is not asked for a while. */
  PlanFault(String reason) {
    this(reason, true);
  }

  private PlanFault(String reason, boolean isOfPlanner) {
    super(reason);
    this.isOfPlanner = isOfPlanner;
  }

  /** Only this request has no answer: another one may have one. */
  static PlanFault ofRequest(String reason) {
    return new PlanFault(reason, false);
  }

  boolean isOfPlanner() {
    return isOfPlanner;
  }
}
