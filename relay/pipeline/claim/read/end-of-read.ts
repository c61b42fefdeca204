import type { ClaimResult } from "#db/stores/port/relay/claim.ts";
import type { CompareOrder, OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { AGED_MS } from "../../state/watermark.ts";

export interface EndOfRead {
  /** Its last message, or the table's last row; null if rows before it may be unread. */
  reached: OrderKey | null;
  /** True if that row is known to be so old that it has no concurrent earlier writers. */
  aged: boolean;
}

/** `mayEndAt`: false for a last row to which the watermark must not pass. */
export function endOfRead(
  { claim, last, more, partial, databaseTimeMs }: ClaimResult,
  compare: CompareOrder,
  mayEndAt: (last: OrderKey) => boolean,
): EndOfRead {
  if (partial) return { reached: null, aged: false };
  const message = claim?.messages.at(-1) ?? null;
  const isLast = message !== null && (last === null || compare(message.order, last) >= 0);
  if (last !== null && !more && !isLast && mayEndAt(last)) return { reached: last, aged: false };
  const aged = message?.createdAt ? databaseTimeMs - Date.parse(message.createdAt) > AGED_MS : false;
  return { reached: message?.order ?? null, aged };
}
