import type { ItemFamily } from "../../port/item-family.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import { resetsNextAttempt } from "../../shared/act/resets-next-attempt.ts";
import { failedWord, pendingWord, writableWords } from "../../shared/act/writable-words.ts";
import { encodeInstant, isPlaceholder } from "../items/instant.ts";
import { type Item, textOf } from "../items/item.ts";
import { wordValue } from "../items/word-value.ts";
import type { Changes } from "./item-writes.ts";

const ZONED = { kind: "timestamptz" } as const;

/** Changes that make an item's message new again: status, attempts, error, next time, lock. `now`: the server's time. */
export function retryChanges(mapping: OutboxMapping, item: Item, now: Date): Changes {
  const { columns, lifecycle } = mapping;
  const { attempts, lastError, availableAt, lockedUntil, lockedBy } = columns;
  const present = (name: string | undefined) => (name !== undefined && item[name] !== undefined ? [name] : []);
  // A relay that compares times finds an item with a placeholder, and none without the attribute.
  const isFree = lockedUntil !== undefined && isPlaceholder(textOf(item[lockedUntil.name]), lockedUntil);
  const lock = isFree ? [] : present(lockedUntil?.name);
  const removed = [...present(lastError?.name), ...lock, ...present(lockedBy?.name)];
  return {
    ...(lifecycle.kind === "status"
      ? {
          [lifecycle.column.name]: wordValue(
            lifecycle.column,
            pendingWord(lifecycle, textOf(item[lifecycle.column.name])),
            item,
          ),
        }
      : {}),
    ...(attempts ? { [attempts.name]: { N: "0" } } : {}),
    // The current time and not an absent attribute, because a relay that compares times never finds an item without
    // one.
    ...(availableAt && resetsNextAttempt(mapping)
      ? { [availableAt.name]: encodeInstant(now, availableAt.time ?? ZONED) }
      : {}),
    ...Object.fromEntries(removed.map((name) => [name, null])),
  };
}

/** Changes that mark an item's message dead by its own attributes; null if they cannot express it. */
export function deadChanges({ columns, lifecycle, deadAttempts }: OutboxMapping, item: Item | null): Changes | null {
  const spent =
    columns.attempts && deadAttempts !== null ? spentAttempts(columns.attempts.name, deadAttempts, item) : {};
  const counts = Object.keys(spent).length > 0;
  if (lifecycle.kind !== "status") return counts ? spent : null;
  const current = item ? textOf(item[lifecycle.column.name]) : null;
  const [named] = writableWords(lifecycle, "dead");
  const word = named ?? (counts ? failedWord(lifecycle, current) : undefined);
  if (word !== undefined) return { [lifecycle.column.name]: wordValue(lifecycle.column, word, item ?? {}), ...spent };
  return counts ? spent : null;
}

function spentAttempts(name: string, limit: number, item: Item | null): Changes {
  const now = Number(textOf(item?.[name]) ?? 0);
  return { [name]: { N: String(Math.max(Number.isFinite(now) ? now : 0, limit)) } };
}

/**
 * The index key that the item lacks, so that pollers find it; null if it has one, or if several values are possible.
 */
export function waitingMark({ waiting }: ItemFamily, indexKey: string | null, item: Item): Changes | null {
  const [only, ...others] = waiting?.keys ?? [];
  if (indexKey === null || item[indexKey] !== undefined || only === undefined || others.length > 0) return null;
  return { [indexKey]: { S: only } };
}
