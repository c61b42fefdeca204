import type { IncomingHttpHeaders } from "node:http";
import { isClientError } from "#client/errors.ts";
import { fromHttp } from "#client/messages/from-http.ts";
import type { ReceivedMessage } from "#client/messages/received-message.ts";
import type { Consumer } from "./consumer.ts";

/** Objects are sent as JSON; texts, such as refusals, unchanged, because relays show them to people. */
export interface Answer {
  status: number;
  body: Record<string, unknown> | string;
}

/** Rejects an event before any consumer sees it; null lets it pass. Faults use this. */
export type Refusal = (message: ReceivedMessage) => Answer | null;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Hands an event to every consumer. Answers 2xx only when all have committed; each inbox absorbs repeats. */
export async function receiveEvent(input: {
  headers: IncomingHttpHeaders;
  body: string;
  consumers: readonly Consumer[];
  refuse: Refusal;
}): Promise<Answer> {
  const message = readMessage(input);
  if ("status" in message) return message;
  const refused = input.refuse(message);
  if (refused) return refused;
  const results = await Promise.allSettled(input.consumers.map((consumer) => consumer.consume(message)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) return answerFailure(failed.reason);
  const repeat = input.consumers.filter((_, index) => isRepeat(results[index])).map((consumer) => consumer.name);
  return repeat.length === 0 ? { status: 202, body: { accepted: true } } : { status: 200, body: { repeat } };
}

function isRepeat(result: PromiseSettledResult<{ duplicate: boolean }> | undefined): boolean {
  return result?.status === "fulfilled" && result.value.duplicate;
}

/** The gateway is on loopback, and the demo's relay does not sign. */
function readMessage(request: { headers: IncomingHttpHeaders; body: string }): ReceivedMessage | Answer {
  try {
    const message = fromHttp(request, { secret: null });
    if (!UUID.test(message.id)) return { status: 400, body: "The header event_id is not a uuid." };
    if (message.type === null) return { status: 400, body: "The header event-type is missing." };
    return message;
  } catch (error) {
    if (isClientError(error)) return { status: 400, body: error.message };
    throw error;
  }
}

/** A payload that its schema refuses is refused at every retry. */
function answerFailure(error: unknown): Answer {
  if (isClientError(error)) return { status: 422, body: error.message };
  return { status: 503, body: "A consumer's database does not take the event now." };
}
