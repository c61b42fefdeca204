import type { BulkLease, BulkRecords } from "#db/stores/port/bulk-records.ts";

const AT_ONCE = 1000;

/** The columns whose values are the ids of an operation's items. */
export type ItemKey = readonly { name: string; type: string }[];

export const itemKeyOf = ({ primaryKey }: { primaryKey: ItemKey }): { name: string; type: string }[] =>
  primaryKey.map(({ name, type }) => ({ name, type }));

/**
 * Sentence: why ids recorded under one primary key name no message, or a wrong one, under another; null if they name
 * the same messages. `then` is null in a record of an older version, which does not have the key.
 */
export function whyKeyChanged(then: ItemKey | null, now: { primaryKey: ItemKey }): string | null {
  if (then === null || textOf(then) === textOf(now.primaryKey)) return null;
  return `The table's primary key was ${columnsOf(then)} when the messages were selected and is now ${columnsOf(now.primaryKey)}, so their ids no longer name them.`;
}

/** A wider integer has the same values. */
function textOf(key: ItemKey): string {
  return JSON.stringify(key.map(({ name, type }) => [name, /^(smallint|integer|bigint)$/.test(type) ? "int" : type]));
}

function columnsOf(key: ItemKey): string {
  const columns = key.map(({ name, type }) => `${name} ${type}`).join(", ");
  return key.length === 1 ? columns : `(${columns})`;
}

/**
 * Gives items their last outcome without reading their messages: those that were retried or sent stay unknown, and with
 * `left` those without an outcome are refused. Returns how many; call it until it returns 0.
 */
export async function giveUpItems(
  bulk: BulkRecords,
  lease: BulkLease,
  { why, left }: { why: string; left: boolean },
): Promise<number> {
  const released = await bulk.released(lease.id, null, AT_ONCE);
  const open = left ? await bulk.next(lease.id, null, AT_ONCE) : [];
  const results = [
    ...released.map(({ seq }) => ({ seq, outcome: "unknown" as const, code: "wrong_state", message: why })),
    ...open.map(({ seq }) => ({ seq, outcome: "refused" as const, code: "wrong_state", message: why })),
  ];
  return results.length > 0 && (await bulk.settle(lease, results, { again: true })) ? results.length : 0;
}
