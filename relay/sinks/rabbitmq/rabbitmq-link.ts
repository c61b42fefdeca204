import { AMQPError, type Channel, Connection, type ConnectionOptions } from "rabbitmq-client";
import { ABORTED, PUBLISHED, type PublishOutcome } from "../sink.ts";
import { failed, outcomeOfError } from "./classify-failure.ts";
import type { Prepared } from "./envelope.ts";
import { GatheredWrites } from "./gathered-writes.ts";
import { type Unconfirmed, UnconfirmedMessages } from "./unconfirmed.ts";

export interface RabbitmqLinkOptions {
  connection: ConnectionOptions;
  exchange: string;
  exchangeType: string;
  declare: boolean;
  /** Longest wait for a confirmation, ms. */
  timeoutMs: number;
  connectTimeoutMs: number;
}

/**
 * One connection with one channel in confirm mode. Ends with the first error of either; the next link starts afresh.
 */
export class RabbitmqLink {
  readonly #options: RabbitmqLinkOptions;
  readonly #connection: Connection;
  #channel: Channel | undefined;
  readonly #writes: GatheredWrites;
  readonly #unconfirmed: UnconfirmedMessages;
  #burst: Unconfirmed[] = [];
  #usable = true;
  #blockedBy: string | null = null;
  #lastAnswerAtMs = 0;

  private constructor(options: RabbitmqLinkOptions) {
    this.#options = options;
    this.#connection = new Connection(options.connection);
    this.#writes = new GatheredWrites(this.#connection);
    this.#unconfirmed = new UnconfirmedMessages(options.timeoutMs, (entry) => this.#late(entry));
    // Otherwise the client would reconnect without end.
    this.#connection.on("error", () => this.#drop());
    this.#connection.on("connection.blocked", (reason: string) => {
      this.#blockedBy = reason;
    });
    this.#connection.on("connection.unblocked", () => {
      this.#blockedBy = null;
    });
  }

  /** Rejects with the network's, TLS's or the broker's error. */
  static async open(options: RabbitmqLinkOptions): Promise<RabbitmqLink> {
    const link = new RabbitmqLink(options);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      link.#drop();
    }, options.connectTimeoutMs * 2);
    try {
      await link.#connected();
      await link.#openChannel();
      return link;
    } catch (error) {
      link.#drop();
      if (late) throw new Error(`The broker did not answer within ${options.connectTimeoutMs * 2} ms.`);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get usable(): boolean {
    return this.#usable;
  }
  get idle(): boolean {
    return this.#unconfirmed.size === 0;
  }
  /** Why the broker blocks publishers at present; null when it does not. */
  get blockedBy(): string | null {
    return this.#blockedBy;
  }

  #connected(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#connection.once("connection", resolve);
      this.#connection.once("error", reject);
    });
  }

  async #openChannel(): Promise<void> {
    const { exchange, exchangeType, declare } = this.#options;
    const channel = await this.#connection.acquire({ emitErrorsFromChannel: true });
    this.#channel = channel;
    channel.on("error", () => this.#drop());
    channel.on("close", () => this.#drop());
    channel.on("basic.return", ({ messageId, routingKey, replyText }) =>
      this.#unconfirmed.returned(messageId, routingKey, replyText),
    );
    // The default exchange always exists and may not be declared. Passive: only checks that it exists.
    if (exchange !== "") {
      await channel.exchangeDeclare({ exchange, type: exchangeType, durable: true, passive: !declare });
    }
    await channel.confirmSelect();
  }

  /** Whether a queue of this name exists. Uses a separate channel, because the broker closes it when there is none. */
  async hasQueue(queue: string): Promise<boolean> {
    const channel = await this.#connection.acquire({ emitErrorsFromChannel: true });
    channel.on("error", () => undefined);
    try {
      await channel.queueDeclare({ queue, passive: true });
      return true;
    } catch (error) {
      if (error instanceof AMQPError && error.code === "NOT_FOUND") return false;
      throw error;
    } finally {
      await channel.close();
    }
  }

  /** Resolves when the broker has confirmed or refused the message. */
  publish(id: string, prepared: Prepared): Promise<PublishOutcome> {
    const channel = this.#channel;
    if (!channel || !this.#usable)
      return Promise.resolve(failed("unreachable", "environment", "The connection is closed."));
    if (this.#blockedBy !== null) return Promise.resolve(blocked(this.#blockedBy));
    return new Promise((resolve) => {
      const entry = this.#unconfirmed.add(id, prepared, resolve);
      this.#writes.gather();
      channel.basicPublish(prepared.envelope, prepared.body).then(
        () => this.#confirmed(entry),
        (error: unknown) => this.#refused(entry, error),
      );
    });
  }

  /**
   * A returned message is also confirmed, and the client emits returns by a `setImmediate` scheduled before it emits
   * the confirmation. So all confirmations of a turn are settled two turns later: by then every return that belongs to
   * them was emitted.
   */
  #confirmed(entry: Unconfirmed): void {
    entry.confirmed = true;
    this.#burst.push(entry);
    if (this.#burst.length > 1) return;
    this.#lastAnswerAtMs = performance.now();
    setImmediate(() => {
      const burst = this.#burst;
      this.#burst = [];
      setImmediate(() => {
        for (const confirmed of burst) this.#settleConfirmed(confirmed);
      });
    });
  }

  #settleConfirmed(entry: Unconfirmed): void {
    if (entry.returned === undefined) this.#unconfirmed.settle(entry, PUBLISHED);
    else this.#unconfirmed.settle(entry, failed("unroutable", "route", entry.returned));
  }

  /** The client reports a channel error on the message that has waited longest, which need not be its cause. */
  #refused(entry: Unconfirmed, error: unknown): void {
    this.#lastAnswerAtMs = performance.now();
    if (this.#usable) {
      this.#unconfirmed.settle(entry, this.#outcome(entry, error, false));
      return;
    }
    const waiting = this.#unconfirmed.unanswered;
    const alone = waiting.length === 1;
    for (const each of waiting) this.#unconfirmed.settle(each, this.#outcome(each, error, alone));
  }

  #outcome({ prepared }: Unconfirmed, error: unknown, alone: boolean): PublishOutcome {
    const { envelope, body } = prepared;
    return outcomeOfError(error, { routingKey: envelope.routingKey ?? "", bodyBytes: body.length, alone });
  }

  /**
   * A connection without any confirmation since the send counts as dead, and its other waiting messages fail for the
   * same reason. With a confirmation since then, only this message's queue is slow.
   */
  #late(entry: Unconfirmed): void {
    this.#unconfirmed.settle(entry, this.#lateOutcome("the message"));
    if (this.#lastAnswerAtMs >= entry.sentAtMs) return;
    for (const other of this.#unconfirmed.unanswered) this.#unconfirmed.settle(other, this.#lateOutcome("any message"));
    this.#drop();
  }

  #lateOutcome(what: string): PublishOutcome {
    if (this.#blockedBy !== null) return blocked(this.#blockedBy);
    const text = `The broker did not confirm ${what} within ${this.#options.timeoutMs} ms.`;
    return failed("timeout", "ambiguous", text);
  }

  #drop(): void {
    if (!this.#usable) return;
    this.#usable = false;
    this.#connection.unsafeDestroy();
  }

  async close(): Promise<void> {
    this.#unconfirmed.settleAll(ABORTED);
    this.#drop();
  }
}

function blocked(reason: string): PublishOutcome {
  return failed("throttled", "environment", `The broker blocks publishers: ${reason}.`);
}
