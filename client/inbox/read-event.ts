import { ClientError } from "../errors.ts";
import type { EventRegistry, PayloadOut, TypesOf } from "../events/define-events.ts";
import { definitionOf, validate } from "../events/validate.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import type { MessageOrder } from "./read-order.ts";

/**
 * A message whose type is known and whose payload its schema has accepted, with its place among others of its
 * aggregate.
 */
export type ReceivedEvent<R extends EventRegistry> = {
  [T in TypesOf<R>]: Omit<ReceivedMessage, "type" | "payload"> & {
    type: T;
    payload: PayloadOut<R, T>;
    order: MessageOrder;
  };
}[TypesOf<R>];

/** Throws `invalid_message` for one without a type or of a newer version, `unknown_type`, `invalid_payload`. */
export async function readEvent<R extends EventRegistry>(
  events: R,
  message: ReceivedMessage,
  order: MessageOrder,
): Promise<ReceivedEvent<R>> {
  const { type, version: sent, payload } = message;
  if (type === null || type === undefined)
    throw new ClientError(
      "invalid_message",
      "The message says no event type. Let the relay send it (route.fields for the preset debezium), or give the reader `type`.",
    );
  const { version, schema, upgrade } = definitionOf(events, type);
  if (sent !== null && sent > version)
    throw new ClientError(
      "invalid_message",
      `The message has version ${sent} of ${type}, and this code knows ${version}: it was written by newer code.`,
    );
  const current = upgrade && sent !== null && sent < version ? await upgrade(payload, sent) : payload;
  const read = await validate(schema, current, `The payload of ${type} does not fit its schema`);
  return { ...message, type, payload: read, order } as ReceivedEvent<R>;
}
