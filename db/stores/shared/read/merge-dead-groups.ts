import { type DeadGroup, MOST_DEAD_GROUPS } from "#domain/diagnosis/facts/messages.ts";
import { normaliseError } from "#domain/message/fingerprint.ts";

/** Most groups by text that an engine returns, largest first: texts of one cause differ in their ids and numbers. */
export const MOST_DEAD_TEXTS = 1_000;

/**
 * Merges groups whose texts differ only in their variable parts, and returns the largest. A row of the table itself has
 * no fingerprint, and SQL can only compare its text. `texts` is at most `MOST_DEAD_TEXTS` long.
 */
export function mergeDeadGroups(texts: readonly DeadGroup[]): DeadGroup[] {
  const isCut = texts.length >= MOST_DEAD_TEXTS;
  const keyOf = ({ eventType, code, error, fingerprint }: DeadGroup) =>
    JSON.stringify([
      eventType,
      code,
      fingerprint,
      fingerprint === null && error !== null ? normaliseError(error) : null,
    ]);
  const merged = [...Map.groupBy(texts, keyOf).values()].map((members) => merge(members, isCut));
  return merged.toSorted((one, other) => other.messages - one.messages).slice(0, MOST_DEAD_GROUPS);
}

function merge(members: readonly DeadGroup[], isCut: boolean): DeadGroup {
  const [first] = members as [DeadGroup];
  const sum = (count: (one: DeadGroup) => number) => members.reduce((total, one) => total + count(one), 0);
  const sorted = (value: (one: DeadGroup) => string | null) => members.flatMap((one) => value(one) ?? []).toSorted();
  return {
    ...first,
    // The same text at every reading, no matter which text has the most messages.
    error: sorted(({ error }) => error)[0] ?? null,
    messages: sum(({ messages }) => messages),
    capped: isCut || members.some(({ capped }) => capped),
    firstAt: sorted(({ firstAt }) => firstAt)[0] ?? null,
    lastAt: sorted(({ lastAt }) => lastAt).at(-1) ?? null,
    oldestSeconds: members.some((one) => one.oldestSeconds === null)
      ? null
      : Math.max(...members.map((one) => one.oldestSeconds ?? 0)),
    lastMinute: sum(({ lastMinute }) => lastMinute),
  };
}
