package io.saltplan.hive;

import java.util.Arrays;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPOr;

/** OR of the ranges of a plan. EXPLAIN shows only the first and the last of many. Public for Hive, which copies it by its name. */
public class EitherRange extends GenericUDFOPOr {
  /** More than this many are shortened. */
  static final int SHOWN = 8;

  @Override
  public String getDisplayString(String[] children) {
    if (children.length <= SHOWN) return "(" + String.join(" or ", children) + ")";
    String first = String.join(" or ", Arrays.copyOf(children, SHOWN / 2));
    int hidden = children.length - SHOWN / 2 - 1;
    return "(" + first + " or ... " + hidden + " more ranges ... or " + children[children.length - 1] + ")";
  }
}
