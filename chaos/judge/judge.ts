import type { Evidence, Finding } from "./evidence.ts";
import { judgeDuplicates } from "./judge-duplicates.ts";
import { judgeLoss } from "./judge-loss.ts";
import { judgeOrder } from "./judge-order.ts";
import { judgeRows } from "./judge-rows.ts";

/** Judges the evidence against the relay's promises. */
export function judge(evidence: Evidence): Finding {
  const findings = [judgeLoss, judgeOrder, judgeDuplicates, judgeRows].map((judgeOne) => judgeOne(evidence));
  return {
    violations: findings.flatMap(({ violations }) => violations),
    seen: Object.assign({}, ...findings.map(({ seen }) => seen)),
  };
}
