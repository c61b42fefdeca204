import { createHash } from "node:crypto";
import { jetstreamManager } from "@nats-io/jetstream";
import type { MsgHdrs, NatsConnection } from "@nats-io/transport-node";
import { MESSAGE_ID, type Prepared } from "./nats-message.ts";

/** Where a stream has the message that it took this one for. */
export interface StoredAt {
  stream: string;
  seq: number;
}

/**
 * False if the stream has stored something else under the message's id, as before its row was changed, or if it cannot
 * be asked. True if what it had is gone, as once a consumer of a work queue has taken it. Subjects are not compared,
 * because a stream may store another one.
 */
export async function holdsSame(
  connection: NatsConnection,
  { stream, seq }: StoredAt,
  { headers, body }: Prepared,
  timeoutMs: number,
): Promise<boolean> {
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: timeoutMs });
    const stored = await manager.streams.getMessage(stream, { seq });
    return stored === null || (Buffer.from(body).equals(stored.data) && linesOf(stored.header) === linesOf(headers));
  } catch {
    return false;
  }
}

/** The id of another content: a repeat of this one is dropped, and not taken for the first. */
export function idOfContent({ subject, headers, body }: Prepared): string {
  const digest = createHash("sha256")
    .update(`${subject}\n${linesOf(headers)}\n`)
    .update(body)
    .digest("base64url");
  return `${headers.get(MESSAGE_ID)}.${digest.slice(0, 16)}`;
}

/** Names and values in an order of their own, without the id. */
function linesOf(headers: MsgHdrs): string {
  const names = headers.keys().filter((name) => name !== MESSAGE_ID);
  return JSON.stringify(names.sort().map((name) => [name, headers.values(name)]));
}
