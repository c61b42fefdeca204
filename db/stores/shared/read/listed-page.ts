import type { MessageRow } from "../../port/message-row.ts";
import type { MessagePage } from "../../port/outbox-reader.ts";
import { badCursorError, decodeCursor } from "./cursor.ts";

/** A page without its count and its clock. */
export type ListedPage = Pick<MessagePage, "rows" | "nextCursor" | "partial">;

/** The part of a page that one place gives. */
export interface SourcePage {
  rows: MessageRow[];
  /** Where the next page begins; null if this source has no more. */
  last: string[] | null;
  partial: ListedPage["partial"];
}

/** One of the places that hold the messages of a tab. */
interface ListedPlace {
  /** Ties cursors to this place and filter. */
  scope: string;
  keyset: { keys: readonly unknown[] };
}

/**
 * Where a page begins: the place, by its index, and the cursor in it. Throws invalid_input for a cursor of another
 * list.
 */
export function pageStart(
  sources: readonly ListedPlace[],
  cursor: string | undefined,
): { index: number; after: string[] | undefined } {
  if (cursor === undefined) return { index: 0, after: undefined };
  for (const [index, source] of sources.entries()) {
    for (const length of [source.keyset.keys.length, 1]) {
      try {
        const values = decodeCursor(cursor, source.scope, length);
        return { index, after: values.length === 1 && values[0] === "start" ? undefined : values };
      } catch {
        // Another source's cursor, or a damaged one; the latter throws below.
      }
    }
  }
  throw badCursorError();
}

/** What was left out of one page, over all of its places. */
export function joinPartial(one: ListedPage["partial"], other: ListedPage["partial"]): ListedPage["partial"] {
  return one && other ? { ...one, skipped: one.skipped || other.skipped } : (one ?? other);
}

/** The values of a row as a cursor holds them. */
export const textsOf = (cursor: readonly (string | null)[]): string[] => cursor.map((text) => text ?? "");

/** A count for a page that saw all that a count would see, and stopped before the end. */
export function countOfPartial(found: number): MessagePage["matching"] {
  return found === 0 ? null : { value: found, capped: true };
}
