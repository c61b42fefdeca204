import { type Evidence, type Finding, violation } from "./evidence.ts";

/** Checks that the tables state what happened: every row, claim, delivery, dead letter and counter. */
export function judgeRows(evidence: Evidence): Finding {
  const { ledger, receipts, rows, dead, archived, deliveries, claims, instances } = evidence;
  const received = new Set(receipts.map(({ id }) => id));
  const deadIds = new Set(dead.map(({ id }) => id));
  const stayed = new Set(dead.filter((row) => row.stayed).map(({ id }) => id));
  const published = [...rows, ...archived].filter(([, row]) => row.published).map(([id]) => id);
  const waiting = [...rows].filter(([id, row]) => !row.published && !stayed.has(id)).map(([id]) => id);
  const nowhere = ledger.filter(({ id }) => !rows.has(id) && !deadIds.has(id) && !archived.has(id)).map(({ id }) => id);
  const twofold = ledger
    .map(({ id }) => id)
    .filter((id) => Number(rows.has(id) && !stayed.has(id)) + Number(deadIds.has(id)) + Number(archived.has(id)) > 1);
  const counted = instances.reduce((sum, instance) => sum + instance.published, 0);
  const late = instances.reduce((sum, instance) => sum + instance.lateCommits, 0);
  return {
    violations: [
      ...violation(
        "still waits, though all is well",
        waiting.map((id) => `${id}${received.has(id) ? " (received)" : ""}`),
      ),
      ...violation(
        "called published, though never received",
        published.filter((id) => !received.has(id)),
      ),
      ...violation("committed, and in no table any more", nowhere),
      ...violation("in two places at once", twofold),
      ...violation("published, with a trace of failure left", deliveries),
      ...violation(
        "in a claim, though all is well",
        claims.map(({ token, owner, ids }) => `${token} of ${owner}: ${ids.length} messages, such as ${ids[0]}`),
      ),
      ...violation(
        "counted more often than published",
        counted > published.length ? [`${counted} counted, ${published.length} published`] : [],
      ),
      ...violation(
        "never read from the log",
        evidence.source === "cdc" && !instances.some(({ streams }) => streams) ? ["no relay reported a stream"] : [],
      ),
      ...violation("late commits, though writers are serialised", late > 0 ? [`${late} counted`] : []),
    ],
    seen: { published: published.length, "counted by relays": counted, "late commits": late },
  };
}
