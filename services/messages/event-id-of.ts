import type { StoredMessage } from "#db/stores/port/message-detail.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { OutboxHandle } from "../runtime.ts";

/** The id that consumers see: the id role, which may not be the key. */
export function eventIdOf({ mapping }: OutboxHandle, { row, content }: StoredMessage): string {
  const named = content.columns.find((column) => column.name === mapping.columns.id.name)?.value;
  return named ?? decodeMessageId(row.id, mapping.primaryKey.length)[0] ?? row.id;
}
