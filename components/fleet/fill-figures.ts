import type { OutboxList, OutboxSummary } from "#contracts/outboxes.ts";

/** Puts the last known figures where there are none now. `old` names the outboxes that got them. */
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
