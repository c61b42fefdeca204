import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { InboxRow } from "#db/stores/port/inbox-reader.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";

/** Rows with the full place of their record instead of its offset, if the inbox stores places: `orders/3/1042`. */
export function withPositions({ byPosition, primaryKey }: InboxMapping, rows: readonly InboxRow[]): InboxRow[] {
  if (!byPosition) return [...rows];
  return rows.map((row) => ({ ...row, messageId: decodeMessageId(row.id, primaryKey.length).join("/") }));
}
