import {
  type ConnectionOptions,
  connect,
  createInbox,
  type Msg,
  type NatsConnection,
  PermissionViolationError,
} from "@nats-io/transport-node";
import type { Failure } from "#domain/failure.ts";
import { eventLoopLooked } from "../shared-link.ts";
import { ABORTED, PUBLISHED, type PublishOutcome, unsent } from "../sink.ts";
import {
  type ApiFault,
  describe,
  failureOfAck,
  failureOfLoss,
  failureOfNoResponders,
  type StreamLookup,
} from "./classify-failure.ts";
import { findStream } from "./find-stream.ts";
import { MESSAGE_ID, type Prepared } from "./nats-message.ts";
import { holdsSame, idOfContent, type StoredAt } from "./stored-message.ts";

export interface NatsLinkOptions {
  connection: ConnectionOptions;
  /** Longest wait for a confirmation, ms. */
  timeoutMs: number;
}

interface Unconfirmed {
  readonly prepared: Prepared;
  readonly subject: string;
  /** Sent with the id of its content. */
  again: boolean;
  readonly sentAtMs: number;
  readonly resolve: (outcome: PublishOutcome) => void;
  readonly timer: NodeJS.Timeout;
}

/** The stream that takes a subject is cached this long, in ms. */
const LOOKUP_MS = 1000;

/**
 * One connection, without the client's reconnects and buffer, so that nothing is sent later without the relay's
 * knowledge. Answers arrive at one inbox, which costs less than the client's request API.
 */
export class NatsLink {
  readonly #options: NatsLinkOptions;
  readonly #connection: NatsConnection;
  readonly #inbox = `${createInbox()}.`;
  readonly #unconfirmed = new Map<string, Unconfirmed>();
  readonly #lookups = new Map<string, { atMs: number; lookup: Promise<StreamLookup> }>();
  #usable = true;
  #sent = 0;
  #lastAnswerAtMs = 0;
  #inboxFault: Error | null = null;

  private constructor(options: NatsLinkOptions, connection: NatsConnection) {
    this.#options = options;
    this.#connection = connection;
    connection.subscribe(`${this.#inbox}*`, {
      callback: (error, message) => {
        if (error) this.#inboxFault = error;
        else this.#answered(message);
      },
    });
    void connection.closed().then((error) => this.#lost(error ?? undefined));
    void this.#watch();
  }

  /** Rejects with the network's, TLS's or the server's error. */
  static async open(options: NatsLinkOptions): Promise<NatsLink> {
    const link = new NatsLink(options, await connect(options.connection));
    try {
      // The server reports a refused subscription before it answers this flush.
      await link.#flushed(options.connection.timeout ?? options.timeoutMs);
      if (link.#inboxFault !== null) throw link.#inboxFault;
      return link;
    } catch (error) {
      await link.close();
      throw error;
    }
  }

  #flushed(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`The server did not answer within ${ms} ms.`)), ms);
      this.#connection
        .flush()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }

  get usable(): boolean {
    return this.#usable && !this.#connection.isClosed();
  }
  get idle(): boolean {
    return this.#unconfirmed.size === 0;
  }

  /** Resolves when a stream has stored or rejected the message. */
  publish(prepared: Prepared): Promise<PublishOutcome> {
    return new Promise((resolve) => {
      const key = String(++this.#sent);
      const late = () => this.#late(key);
      const timer = setTimeout(() => void eventLoopLooked().then(late), this.#options.timeoutMs);
      const sentAtMs = performance.now();
      this.#unconfirmed.set(key, { prepared, subject: prepared.subject, again: false, sentAtMs, resolve, timer });
      this.#send(key, prepared);
    });
  }

  #send(key: string, { subject, body, headers }: Prepared): void {
    try {
      this.#connection.publish(subject, body, { reply: this.#inbox + key, headers });
    } catch (error) {
      const failure = this.#failureBeforeSending(error);
      this.#settle(key, failure.kind === "message" ? unsent(failure) : failed(failure));
    }
  }

  /**
   * A message whose row was changed has the id of what the stream stored before, and would be dropped: it is sent again
   * under an id of its content.
   */
  async #repeated(key: string, entry: Unconfirmed, at: StoredAt): Promise<void> {
    entry.again = true;
    const { prepared } = entry;
    if (await holdsSame(this.#connection, at, prepared, this.#options.timeoutMs / 3)) {
      this.#settle(key, PUBLISHED);
      return;
    }
    if (!this.#unconfirmed.has(key)) return;
    prepared.headers.set(MESSAGE_ID, idOfContent(prepared));
    this.#send(key, prepared);
  }

  #failureBeforeSending(error: unknown): Failure {
    const message = describe(error);
    if (this.#connection.isClosed()) return { code: "unreachable", kind: "environment", message };
    if (!message.includes("max_payload")) return { code: "serialisation", kind: "message", message };
    const limit = this.#connection.info?.max_payload ?? 0;
    return {
      code: "too_large",
      kind: "message",
      message: `The message is larger than the ${limit} bytes that the server accepts.`,
    };
  }

  #answered(message: Msg): void {
    this.#lastAnswerAtMs = performance.now();
    const key = message.subject.slice(this.#inbox.length);
    const entry = this.#unconfirmed.get(key);
    if (!entry) return;
    if (message.data.length === 0 && message.headers?.code === 503) {
      void this.lookUp(entry.subject).then((lookup) =>
        this.#settle(key, failed(failureOfNoResponders(entry.subject, lookup))),
      );
      return;
    }
    const answer = parse(message.string());
    if (answer?.duplicate && answer.stream && answer.seq !== undefined && !entry.again) {
      void this.#repeated(key, entry, { stream: answer.stream, seq: answer.seq });
      return;
    }
    this.#settle(key, outcomeOf(entry.subject, message, answer));
  }

  /** The stream that takes the subject. One lookup per subject: a whole batch may be without a stream. */
  lookUp(subject: string): Promise<StreamLookup> {
    const nowMs = performance.now();
    const known = this.#lookups.get(subject);
    if (known && nowMs - known.atMs < LOOKUP_MS) return known.lookup;
    if (this.#lookups.size > 1000) this.#lookups.clear();
    const lookup = findStream(this.#connection, subject, this.#options.timeoutMs);
    this.#lookups.set(subject, { atMs: nowMs, lookup });
    return lookup;
  }

  /** Publishing without permission gets no answer, only a connection error that names the subject. */
  async #watch(): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type !== "error" || !(status.error instanceof PermissionViolationError)) continue;
      const { operation, subject, message } = status.error;
      if (operation !== "publish") continue;
      this.#lastAnswerAtMs = performance.now();
      for (const [key, entry] of this.#unconfirmed) {
        if (entry.subject === subject) this.#settle(key, failed({ code: "auth", kind: "route", message }));
      }
    }
  }

  /**
   * A connection without any answer since the send counts as dead, and its other waiting messages fail for the same
   * reason. With an answer since then, only this message's stream is slow.
   */
  #late(key: string): void {
    const entry = this.#unconfirmed.get(key);
    if (!entry) return;
    this.#settle(key, failed(this.#lateFailure("the message")));
    if (this.#lastAnswerAtMs >= entry.sentAtMs) return;
    this.#usable = false;
    for (const other of this.#unconfirmed.keys()) this.#settle(other, failed(this.#lateFailure("any message")));
    void this.#connection.close();
  }

  #lateFailure(what: string): Failure {
    const message = `The stream did not confirm ${what} within ${this.#options.timeoutMs} ms.`;
    return { code: "timeout", kind: "ambiguous", message };
  }

  #lost(error: Error | undefined): void {
    this.#usable = false;
    for (const key of this.#unconfirmed.keys()) this.#settle(key, failed(failureOfLoss(error)));
  }

  #settle(key: string, outcome: PublishOutcome): void {
    const entry = this.#unconfirmed.get(key);
    if (!entry) return;
    clearTimeout(entry.timer);
    this.#unconfirmed.delete(key);
    entry.resolve(outcome);
  }

  async close(): Promise<void> {
    this.#usable = false;
    for (const key of this.#unconfirmed.keys()) this.#settle(key, ABORTED);
    await this.#connection.close();
  }
}

function outcomeOf(subject: string, message: Msg, answer: Answer | null): PublishOutcome {
  if (answer?.error) return failed(failureOfAck(subject, answer.error));
  if (answer?.stream) return PUBLISHED;
  const text = `A responder that is not a stream answered on the subject: ${message.string().slice(0, 200)}`;
  return failed({ code: "unknown", kind: "ambiguous", message: text });
}

interface Answer {
  stream?: string;
  seq?: number;
  /** The stream dropped it, because it has a message of this id. */
  duplicate?: boolean;
  error?: ApiFault;
}

function parse(text: string): Answer | null {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function failed(failure: Failure): PublishOutcome {
  return { kind: "failed", failure };
}
