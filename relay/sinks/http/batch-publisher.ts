import { setTimeout as delay } from "node:timers/promises";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Router } from "../../routing/router.ts";
import { ABORTED, type PublishOutcome } from "../sink.ts";
import { batchContentType, batchElement, IN_ENVELOPE } from "./batch-body.ts";

export interface BatchEntry {
  message: OutgoingMessage;
  /** Its place in the call. */
  index: number;
  /** The event's element of the array. */
  element: string;
  contentType: string;
}

export interface BatchPublisherOptions {
  route: Router;
  /** Sends one request with these events; never rejects. */
  send: (entries: readonly BatchEntry[], signal: AbortSignal) => Promise<PublishOutcome>;
  /** A request's body has at most so many bytes, unless one event alone has more. */
  maxBytes: number;
  concurrency: number;
}

/** Aggregates in a row that fail without a success between: then it is not their messages (as in the relay's judge). */
const MOST_FAILURES = 3;

/**
 * Sends the messages of a call as few requests, one after the other. When the other side turns a batch down, its
 * events are sent one by one, so that each gets an outcome of its own; an aggregate stops at its first failure.
 */
export class BatchPublisher {
  readonly #options: BatchPublisherOptions;
  /** Falls when the other side calls a batch too large. */
  #maxBytes: number;

  constructor(options: BatchPublisherOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes;
  }

  async publish(messages: readonly OutgoingMessage[], signal: AbortSignal): Promise<PublishOutcome[]> {
    const call = new Call(signal, messages.length);
    await this.#sendAll(call, this.#route(call, messages));
    return call.outcomes;
  }

  /** What may be sent: an aggregate ends before its first event that cannot be routed. */
  #route(call: Call, messages: readonly OutgoingMessage[]): BatchEntry[] {
    const entries: BatchEntry[] = [];
    const ended = new Set<string>();
    for (let index = 0; index < messages.length; index += 1) {
      const message = messages[index] as OutgoingMessage;
      const { aggregateKey } = message;
      if (ended.size > 0 && aggregateKey !== null && ended.has(aggregateKey)) continue;
      const result = this.#options.route(message, IN_ENVELOPE);
      if ("failure" in result) {
        if (aggregateKey !== null) ended.add(aggregateKey);
        call.outcomes[index] = { kind: "failed", failure: result.failure };
        continue;
      }
      const element = batchElement(message, result.routed);
      entries.push({ message, index, element, contentType: batchContentType(result.routed) });
    }
    return entries;
  }

  async #sendAll(call: Call, entries: readonly BatchEntry[]): Promise<void> {
    let rest = entries;
    while (rest.length > 0) {
      const count = fitting(rest, this.#maxBytes);
      await this.#sendBatch(call, count === rest.length ? rest : rest.slice(0, count));
      rest = rest.slice(count).filter(({ message }) => call.mayGo(message));
    }
  }

  async #sendBatch(call: Call, entries: readonly BatchEntry[]): Promise<void> {
    const outcome = await this.#send(call, entries);
    const failure = outcome.kind === "failed" && outcome.failure.kind !== "environment" ? outcome.failure : null;
    if (failure === null || entries.length === 1) {
      for (const entry of entries) call.settle(entry, outcome);
      return;
    }
    if (failure.code === "too_large") {
      this.#maxBytes = Math.ceil(entries.reduce((sum, { element }) => sum + Buffer.byteLength(element), 0) / 2);
      await this.#sendAll(call, entries);
      return;
    }
    await this.#sendEach(call, entries);
  }

  /** Aggregates beside each other, the events of each in order. */
  async #sendEach(call: Call, entries: readonly BatchEntry[]): Promise<void> {
    const lanes = Map.groupBy(entries, ({ message }) => message.aggregateKey ?? message).values();
    const work = async () => {
      for (const lane of lanes) {
        for (const entry of lane) if (call.mayGo(entry.message)) await this.#sendBatch(call, [entry]);
      }
    };
    await Promise.all(Array.from({ length: this.#options.concurrency }, work));
  }

  /**
   * A later request of a call lets timers that are due go first: a process that was stopped for a minute must notice
   * that its lease is over before it sends anything more.
   */
  async #send(call: Call, entries: readonly BatchEntry[]): Promise<PublishOutcome> {
    if (call.begun) await delay(0);
    call.begun = true;
    return this.#options.send(entries, call.signal);
  }
}

/** What is known so far of one call of publish. */
class Call {
  readonly signal: AbortSignal;
  /** In the order of the messages. What is never sent stays aborted. */
  readonly outcomes: PublishOutcome[];
  begun = false;
  readonly #stopped = new Set<string>();
  #halted = false;
  #failures = 0;

  constructor(signal: AbortSignal, messages: number) {
    this.signal = signal;
    this.outcomes = new Array<PublishOutcome>(messages).fill(ABORTED);
  }

  mayGo({ aggregateKey }: OutgoingMessage): boolean {
    return !this.#halted && (aggregateKey === null || !this.#stopped.has(aggregateKey));
  }

  settle({ message, index }: BatchEntry, outcome: PublishOutcome): void {
    this.outcomes[index] = outcome;
    if (outcome.kind === "published") {
      this.#failures = 0;
      return;
    }
    if (message.aggregateKey !== null) this.#stopped.add(message.aggregateKey);
    if (outcome.kind === "aborted" || outcome.failure.kind === "environment") this.#halted = true;
    else if (outcome.failure.kind === "ambiguous") this.#failures += 1;
    if (this.#failures >= MOST_FAILURES) this.#halted = true;
  }
}

/** One character of a string is no more bytes of UTF-8. */
const MOST_BYTES_OF_CHAR = 3;

/** How many of the first entries go into one request: at least one. Counts bytes only where lengths do not tell. */
function fitting(entries: readonly BatchEntry[], maxBytes: number): number {
  let chars = 0;
  for (const { element } of entries) chars += element.length + 1;
  if (chars * MOST_BYTES_OF_CHAR <= maxBytes) return entries.length;
  let bytes = 0;
  for (const [index, { element }] of entries.entries()) {
    bytes += Buffer.byteLength(element) + 1;
    if (index > 0 && bytes > maxBytes) return index;
  }
  return entries.length;
}
