import { setTimeout as delay } from "node:timers/promises";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Router } from "../../routing/router.ts";
import { ABORTED, type PublishOutcome, unsent } from "../sink.ts";
import { batchContentType, batchElement, IN_ENVELOPE } from "./batch-body.ts";

export interface BatchEntry {
  message: OutgoingMessage;
  /** Index in the call's messages. */
  index: number;
  /** The event as an element of the array. */
  element: string;
  contentType: string;
}

export interface BatchPublisherOptions {
  route: Router;
  /** Sends one request with these events; never rejects. */
  send: (entries: readonly BatchEntry[], signal: AbortSignal) => Promise<PublishOutcome>;
  /** Limit of a request's body; a single larger event is still sent. */
  maxBytes: number;
  concurrency: number;
}

/** After this many aggregates fail in a row without a success, the receiver is at fault, not the messages. */
const MOST_FAILURES = 3;

/**
 * Sends the messages of a call in as few requests as possible, one after another. When the receiver rejects a batch,
 * its events are sent one by one, so that each gets its own outcome; an aggregate stops at its first failure.
 */
export class BatchPublisher {
  readonly #options: BatchPublisherOptions;
  /** Lowered when the receiver calls a batch too large. */
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

  /** Messages that can be sent: an aggregate ends before its first event that cannot be routed. */
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
        call.outcomes[index] = unsent(result.failure);
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
      const bytes = entries.reduce((sum, { element }) => sum + Buffer.byteLength(element), 0);
      // Another call may have found a smaller size meanwhile.
      this.#maxBytes = Math.min(this.#maxBytes, Math.ceil(bytes / 2));
      await this.#sendAll(call, entries);
      return;
    }
    await this.#sendEach(call, entries);
  }

  /** Sends each event in its own request: several aggregates at once, each aggregate's events in order. */
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
   * Lets due timers run before a call's later requests: a process that was frozen for a minute must notice that its
   * lease has expired before it sends more.
   */
  async #send(call: Call, entries: readonly BatchEntry[]): Promise<PublishOutcome> {
    if (call.begun) await delay(0);
    call.begun = true;
    return this.#options.send(entries, call.signal);
  }
}

/** State of one call of publish. */
class Call {
  readonly signal: AbortSignal;
  /** One outcome per message, in order. Messages that are never sent stay `aborted`. */
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

/** Most UTF-8 bytes that one UTF-16 code unit of a string takes. */
const MOST_BYTES_OF_CHAR = 3;

/**
 * Number of entries that fit into one request, at least one. Counts bytes only where the string lengths are not enough.
 */
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
