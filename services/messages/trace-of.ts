import type { MessageDetail } from "#contracts/message/messages.ts";
import type { StoredMessage } from "#db/stores/port/message-detail.ts";
import { traceContextIn, traceIdOf } from "#domain/relay/trace-context.ts";
import type { OutboxHandle } from "../runtime.ts";

/** The trace that the row's own column or its headers name. `url`: the template of the configuration. */
export function traceOf(
  { content }: Pick<StoredMessage, "content">,
  { handle, url }: { handle: OutboxHandle; url: string | undefined },
): MessageDetail["trace"] {
  const name = handle.mapping.columns.traceId?.name;
  const column = content.columns.find((one) => one.name === name)?.value;
  const id = (column ? traceIdOf(column) : null) ?? traceContextIn(content.headers?.text ?? null)?.traceId ?? null;
  return id === null ? null : { id, url: url?.replaceAll("{traceId}", id) ?? null };
}
