import type { StoredMessage } from "../../port/message-detail.ts";
import type { MessageRow } from "../../port/message-row.ts";
import { UNREAD_NEIGHBOURS } from "./unread-neighbours.ts";

/** A message with the value of its order column, as text; null where there is none. */
export type PlacedRow = MessageRow & { place: string | null };

/**
 * The message among those before and after it that were found, oldest first; messages of one transaction, which have
 * the same creation time, in their order. Null for a half that was not looked for.
 */
export function around(
  row: MessageRow,
  before: readonly PlacedRow[] | null,
  after: readonly PlacedRow[] | null,
): Pick<StoredMessage, "neighbours" | "neighboursUnread"> {
  const [earlier, later] = [before ?? [], after ?? []].map((half) => half.toSorted(byPlace).map(withoutPlace));
  const found = [...(earlier ?? []), ...(later ?? [])];
  return {
    neighbours: found.some(({ id }) => id === row.id) ? found : [...(earlier ?? []), row, ...(later ?? [])],
    neighboursUnread: before === null || after === null ? UNREAD_NEIGHBOURS.scan : null,
  };
}

/** By creation, then by the order column, then by id. */
export function byPlace(one: PlacedRow, other: PlacedRow): number {
  return (
    compareTexts(one.createdAt ?? "", other.createdAt ?? "") ||
    comparePlaces(one.place ?? "", other.place ?? "") ||
    comparePlaces(one.id, other.id)
  );
}

const WHOLE = /^-?\d+$/;

/** Whole numbers as such. */
function comparePlaces(one: string, other: string): number {
  if (!WHOLE.test(one) || !WHOLE.test(other)) return compareTexts(one, other);
  const difference = BigInt(one) - BigInt(other);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export const withoutPlace = ({ place: _, ...row }: PlacedRow): MessageRow => row;
