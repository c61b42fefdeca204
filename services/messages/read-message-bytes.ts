import type { BytesRequest, MessageBytes } from "#db/stores/port/message-detail.ts";
import { AppError } from "#domain/errors.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { Runtime } from "../runtime.ts";
import { requireKey } from "./list-messages.ts";

/** Stored bytes of one message. Throws: not_found, unavailable, query_timeout. */
export async function readMessageBytes(input: {
  runtime: Runtime;
  outbox: string;
  id: string;
  request: BytesRequest;
}): Promise<MessageBytes> {
  const handle = await input.runtime.outbox(input.outbox);
  requireKey(handle.mapping.primaryKey.length, handle.name);
  const found = await outboxOf(handle).read.bytes(input.id, input.request);
  if (!found) throw new AppError("not_found", `There is no such message in outbox ${handle.name}.`);
  return found;
}
