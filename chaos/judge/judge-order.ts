import type { Receipt } from "../world/recorders/recorder.ts";
import { type Evidence, type Finding, violation } from "./evidence.ts";

/**
 * Checks that first receipts of an aggregate follow its commits. Excluded are scheduled messages and those touched by
 * an operator (a retried dead message goes after later ones by design); late ones are counted.
 */
export function judgeOrder({ ledger, receipts, touched }: Evidence): Finding {
  const scheduled = new Set(ledger.filter((row) => row.scheduled).map(({ id }) => id));
  const seen = new Set<string>();
  const last = new Map<string, Pick<Receipt, "n" | "id" | "atMs" | "slot">>();
  const inverted: string[] = [];
  let allowed = 0;
  for (const { id, aggregate, n, atMs, slot } of receipts) {
    if (seen.has(id)) continue;
    seen.add(id);
    const before = last.get(aggregate);
    const late = before !== undefined && n < before.n;
    if (touched.has(id) || scheduled.has(id)) {
      if (late) allowed += 1;
      continue;
    }
    if (late)
      inverted.push(
        `${aggregate}: ${id} (${n}, relay ${slot}, ${time(atMs)}) first arrived after ${before.id} (${before.n}, relay ${before.slot}, ${time(before.atMs)})`,
      );
    else last.set(aggregate, { n, id, atMs, slot });
  }
  return {
    violations: violation("first received after a later message of its aggregate", inverted),
    seen: { inversions: inverted.length, "late, as allowed": allowed },
  };
}

function time(atMs: number | null): string {
  return atMs === null ? "an unknown time" : `${(atMs / 1000).toFixed(3)} s`;
}
