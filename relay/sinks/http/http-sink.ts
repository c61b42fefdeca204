import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { REPLAY_HEADER } from "#domain/message/republish.ts";
import type { HttpSinkConfig } from "#services/config/sinks/http-sink-schema.ts";
import type { Routed, Router } from "../../routing/router.ts";
import { type PublishOutcome, type Sink, unsent } from "../sink.ts";
import { batchId } from "./batch-body.ts";
import { type BatchEntry, BatchPublisher } from "./batch-publisher.ts";
import { type Done, HttpSender } from "./http-sender.ts";

export interface HttpSinkOptions {
  config: HttpSinkConfig;
  /** Connections for each origin, one request at a time on each. */
  concurrency: number;
  route: Router;
}

/** Headers that the sender sets. */
const BY_SENDER: ReadonlySet<string> = new Set(["webhook-id"]);
/** Initial limit of a batch's body, in bytes; lowered when a receiver rejects one as too large. */
const MOST_BATCH_BYTES = 4 * 1024 * 1024;

/** POSTs one event or a batch; a 2xx status confirms everything in the request. */
export function createHttpSink({ config, concurrency, route }: HttpSinkOptions): Sink {
  const sender = new HttpSender(config, concurrency);
  const batches =
    config.batch > 1
      ? new BatchPublisher({
          route,
          send: (entries, signal) => sendBatch(sender, entries, signal),
          maxBytes: MOST_BATCH_BYTES,
          concurrency,
        })
      : null;
  return {
    kind: "http",
    maxBatch: config.batch,
    keepsOrderInBatch: batches !== null,
    connect: async () => undefined,
    check: () => sender.check(),
    publish: (messages, signal) =>
      batches ? batches.publish(messages, signal) : publishEach(sender, route, messages, signal),
    close: () => sender.close(),
    describe: () => ({ kind: "http", address: sender.address }),
  };
}

/** Uses callbacks below the call's one promise: further promises would cost time on every event. */
function publishEach(sender: HttpSender, route: Router, messages: readonly OutgoingMessage[], signal: AbortSignal) {
  return new Promise<PublishOutcome[]>((resolve) => {
    const outcomes: PublishOutcome[] = [];
    let open = messages.length;
    if (open === 0) resolve(outcomes);
    for (let index = 0; index < messages.length; index += 1) {
      const done: Done = (outcome) => {
        outcomes[index] = outcome;
        open -= 1;
        if (open === 0) resolve(outcomes);
      };
      const result = route(messages[index] as OutgoingMessage, BY_SENDER);
      if ("failure" in result) done(unsent(result.failure));
      else sendOne(sender, messages[index] as OutgoingMessage, result.routed, { signal, done });
    }
  });
}

function sendOne(
  sender: HttpSender,
  { eventId }: OutgoingMessage,
  { headers, contentType, body }: Routed,
  { signal, done }: { signal: AbortSignal; done: Done },
) {
  sender.send({ id: eventId, contentType, headers, body: body ?? "" }, signal, done);
}

function sendBatch(sender: HttpSender, entries: readonly BatchEntry[], signal: AbortSignal): Promise<PublishOutcome> {
  // Messages of one call are all of one operation, or of none.
  const id = batchId(entries.map(({ message }) => message.eventId));
  const contentType = entries[0]?.contentType ?? "";
  const body = Buffer.from(`[${entries.map(({ element }) => element).join(",")}]`);
  const replay = entries[0]?.message.replay;
  const headers: Routed["headers"] = replay === undefined ? [] : [[REPLAY_HEADER, replay]];
  return new Promise((resolve) => sender.send({ id, contentType, headers, body }, signal, resolve));
}
