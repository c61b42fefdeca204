import { type Evidence, type Finding, violation } from "./evidence.ts";

/**
 * Every committed message arrived, is dead with a recorded cause, or was archived by an operator; no other message
 * arrived.
 */
export function judgeLoss(evidence: Evidence): Finding {
  const { ledger, receipts, dead, archived, rejected, touched } = evidence;
  const received = new Set(receipts.map(({ id }) => id));
  const deadIds = new Set(dead.map(({ id }) => id));
  const byId = new Map(ledger.map((row) => [row.id, row]));
  const lost = ledger.filter(({ id }) => !received.has(id) && !deadIds.has(id) && !archived.has(id));
  const ghosts = receipts.filter(({ id }) => !byId.has(id));
  const garbled = receipts.filter(({ id, aggregate, n }) => {
    const row = byId.get(id);
    return row !== undefined && (row.aggregate !== aggregate || row.n !== n);
  });
  const innocent = dead.filter(({ id, code }) => !rejected.has(id) && !touched.has(id) && code !== "crash");
  const missing = evidence.acknowledged - ledger.length;
  return {
    violations: [
      ...violation(
        "committed, and never received",
        lost.map(({ id, aggregate, n, seq }) => `${id} (${aggregate} ${n}, seq ${seq})`),
      ),
      ...violation(
        "received, though never committed",
        ghosts.map(({ id, aggregate, n }) => `${id} (${aggregate} ${n})`),
      ),
      ...violation(
        "received with another's content",
        garbled.map(({ id, aggregate, n }) => `${id} (${aggregate} ${n})`),
      ),
      ...violation(
        "dead, though nobody refused it",
        innocent.map(({ id, by, code }) => `${id} (by ${by}: ${code})`),
      ),
      ...violation("acknowledged commits that the store has lost", missing > 0 ? [`${missing} messages`] : []),
    ],
    seen: {
      committed: ledger.length,
      received: received.size,
      dead: dead.length,
      "dead: crash": dead.filter(({ code }) => code === "crash").length,
      archived: archived.size,
      lost: lost.length,
    },
  };
}
