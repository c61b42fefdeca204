import type { IncomingHttpHeaders } from "node:http";
import { UnreadablePayloadError } from "../database/shop-database.ts";
import type { Consumer, ReceivedEvent } from "./consumer.ts";

/** Objects are sent as JSON; texts, such as refusals, unchanged, because relays show them to people. */
export interface Answer {
  status: number;
  body: Record<string, unknown> | string;
}

/** Rejects an event before any consumer sees it; null lets it pass. Faults use this. */
export type Refusal = (event: ReceivedEvent) => Answer | null;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Hands an event to every consumer. Answers 2xx only when all have committed; each inbox absorbs repeats. */
export async function receiveEvent(input: {
  headers: IncomingHttpHeaders;
  body: string;
  consumers: readonly Consumer[];
  refuse: Refusal;
}): Promise<Answer> {
  const event = readEvent(input.headers, input.body);
  if ("status" in event) return event;
  const refused = input.refuse(event);
  if (refused) return refused;
  const results = await Promise.allSettled(input.consumers.map((consumer) => consumer.consume(event)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) return answerFailure(failed.reason);
  const repeat = input.consumers.filter((_, index) => isRepeat(results[index])).map((consumer) => consumer.name);
  return repeat.length === 0 ? { status: 202, body: { accepted: true } } : { status: 200, body: { repeat } };
}

function isRepeat(result: PromiseSettledResult<"processed" | "repeat"> | undefined): boolean {
  return result?.status === "fulfilled" && result.value === "repeat";
}

function readEvent(headers: IncomingHttpHeaders, payload: string): ReceivedEvent | Answer {
  const id = header(headers, "event_id") ?? header(headers, "webhook-id");
  const eventType = header(headers, "event-type");
  if (id === undefined) return refuseInput("The header event_id is missing: without it a repeat cannot be recognised.");
  if (!UUID.test(id)) return refuseInput("The header event_id is not a uuid.");
  if (eventType === undefined) return refuseInput("The header event-type is missing.");
  return { id, eventType, aggregateId: header(headers, "aggregate-id") ?? "", payload };
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function refuseInput(error: string): Answer {
  return { status: 400, body: error };
}

function answerFailure(error: unknown): Answer {
  if (error instanceof UnreadablePayloadError) return { status: 422, body: error.message };
  return { status: 503, body: "A consumer's database does not take the event now." };
}
