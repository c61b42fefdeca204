import type { Writable } from "node:stream";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { REPLAY_HEADER } from "#domain/message/republish.ts";
import { ABORTED, PUBLISHED, type PublishOutcome, type Sink } from "../sink.ts";

/** One line of JSON per message; a message is published once its line is written. */
export function createLogSink(options: { outbox: string; stream?: Writable }): Sink {
  const stream = options.stream ?? process.stdout;
  // Each write gets its own error; an error event without a listener would end the process.
  if (stream.listenerCount("error") === 0) stream.on("error", () => undefined);
  const closing = new AbortController();
  return {
    kind: "log",
    maxBatch: 500,
    keepsOrderInBatch: true,
    connect: async () => undefined,
    check: async () => null,
    async publish(messages, signal) {
      const signals = [signal, closing.signal];
      if (signals.some(({ aborted }) => aborted)) return messages.map(() => ABORTED);
      const lines = messages.map((message) => `${toLine(options.outbox, message)}\n`).join("");
      // A full pipe that nobody reads takes the lines when somebody does.
      const outcome = await unlessAborted(write(stream, lines), signals);
      return messages.map(() => outcome);
    },
    close: async () => closing.abort(),
    describe: () => ({ kind: "log", address: "stdout" }),
  };
}

/** The payload is the stored text as a JSON string; it is never parsed and printed again. */
function toLine(outbox: string, message: OutgoingMessage): string {
  const { id, eventId, aggregateType, aggregateId, eventType, topic, createdAt, headers, payload, payloadKind } =
    message;
  const { replay } = message;
  const named = { outbox, id, event_id: eventId, aggregateType, aggregateId, eventType, topic, createdAt, headers };
  const fields = replay === undefined ? named : { ...named, [REPLAY_HEADER]: replay };
  return JSON.stringify(payloadKind === "binary" ? { ...fields, payloadBase64: payload } : { ...fields, payload });
}

function write(stream: Writable, text: string): Promise<PublishOutcome> {
  return new Promise((resolve) => {
    stream.write(text, (error) => resolve(error ? failureOf(error) : PUBLISHED));
  });
}

function unlessAborted(writing: Promise<PublishOutcome>, signals: readonly AbortSignal[]): Promise<PublishOutcome> {
  return new Promise((resolve) => {
    const end = (outcome: PublishOutcome) => {
      for (const signal of signals) signal.removeEventListener("abort", abort);
      resolve(outcome);
    };
    const abort = () => end(ABORTED);
    for (const signal of signals) signal.addEventListener("abort", abort);
    void writing.then(end);
  });
}

function failureOf(error: Error): PublishOutcome {
  return {
    kind: "failed",
    failure: { code: "unreachable", kind: "environment", message: `The log cannot be written: ${error.message}` },
  };
}
