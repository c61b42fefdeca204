import type { OutboxList, OutboxSummary } from "#contracts/outbox/outboxes.ts";

/** Fills in the last known figures of outboxes without current ones. `old` names those outboxes. */
export function fillFigures(
  list: OutboxList,
  known: ReadonlyMap<string, OutboxSummary["figures"]>,
): { list: OutboxList; old: ReadonlySet<string> } {
  const old = new Set<string>();
  const outboxes = list.outboxes.map((outbox) => {
    const last = known.get(outbox.name) ?? null;
    if (outbox.figures !== null || last === null) return outbox;
    old.add(outbox.name);
    return { ...outbox, figures: last };
  });
  return { list: old.size === 0 ? list : { ...list, outboxes }, old };
}
