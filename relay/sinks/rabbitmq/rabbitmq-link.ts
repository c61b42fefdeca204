import { AMQPError, type Channel, Connection, type ConnectionOptions } from "rabbitmq-client";
import { ABORTED, PUBLISHED, type PublishOutcome } from "../sink.ts";
import { failed, outcomeOfError } from "./classify.ts";
import type { Prepared } from "./envelope.ts";

export interface RabbitmqLinkOptions {
  connection: ConnectionOptions;
  exchange: string;
  exchangeType: string;
  declare: boolean;
  /** Longest wait for a confirmation, ms. */
  timeoutMs: number;
  connectTimeoutMs: number;
}

interface Unconfirmed {
  readonly prepared: Prepared;
  readonly sentAtMs: number;
  readonly resolve: (outcome: PublishOutcome) => void;
  timer: NodeJS.Timeout | undefined;
  confirmed: boolean;
  returned: string | undefined;
}

/** One connection with one channel in confirm mode. Ends with the first error of either; the next link starts afresh. */
export class RabbitmqLink {
  readonly #options: RabbitmqLinkOptions;
  readonly #connection: Connection;
  #channel: Channel | undefined;
  /** Sent and waiting, by message id: what a returned message is known by. */
  readonly #unconfirmed = new Map<string, Unconfirmed>();
  #burst: [id: string, entry: Unconfirmed][] = [];
  #usable = true;
  #blockedBy: string | null = null;
  #lastAnswerAtMs = 0;

  private constructor(options: RabbitmqLinkOptions) {
    this.#options = options;
    this.#connection = new Connection(options.connection);
    // The client would connect again and again by itself.
    this.#connection.on("error", () => this.#drop());
    this.#connection.on("connection.blocked", (reason: string) => {
      this.#blockedBy = reason;
    });
    this.#connection.on("connection.unblocked", () => {
      this.#blockedBy = null;
    });
  }

  /** Rejects with the reason: of the network, of TLS, or in the broker's words. */
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
  /** Why the broker takes nothing from publishers at this moment; null when it does. */
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
    channel.on("basic.return", ({ messageId, replyText }) => this.#returned(messageId, replyText));
    // The default exchange is always there, and may not be declared. Passive: only look whether it is there.
    if (exchange !== "") {
      await channel.exchangeDeclare({ exchange, type: exchangeType, durable: true, passive: !declare });
    }
    await channel.confirmSelect();
  }

  /** Whether there is a queue of the name. Over a channel of its own, which the broker closes when there is none. */
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
      const entry: Unconfirmed = {
        prepared,
        sentAtMs: performance.now(),
        resolve,
        timer: undefined,
        confirmed: false,
        returned: undefined,
      };
      entry.timer = setTimeout(() => this.#late(id, entry), this.#options.timeoutMs);
      this.#unconfirmed.set(id, entry);
      channel.basicPublish(prepared.envelope, prepared.body).then(
        () => this.#confirmed(id, entry),
        (error: unknown) => this.#refused(id, entry, error),
      );
    });
  }

  /**
   * A returned message is confirmed too, and the client tells of a return by `setImmediate`, begun before it tells of the
   * confirmation. All confirmations of a turn are settled together: the first turn collects those whose returns are
   * already under way, and when the second comes these have been told.
   */
  #confirmed(id: string, entry: Unconfirmed): void {
    entry.confirmed = true;
    this.#lastAnswerAtMs = performance.now();
    this.#burst.push([id, entry]);
    if (this.#burst.length > 1) return;
    setImmediate(() => {
      const burst = this.#burst;
      this.#burst = [];
      setImmediate(() => {
        for (const [each, confirmed] of burst) this.#settleConfirmed(each, confirmed);
      });
    });
  }

  #settleConfirmed(id: string, entry: Unconfirmed): void {
    if (entry.returned === undefined) this.#settle(id, entry, PUBLISHED);
    else this.#settle(id, entry, failed("unroutable", "message", entry.returned));
  }

  #returned(id: string | undefined, replyText: string): void {
    const entry = id === undefined ? undefined : this.#unconfirmed.get(id);
    if (!entry) return;
    const { exchange, routingKey } = entry.prepared.envelope;
    const where =
      exchange === ""
        ? "There is no queue of the name"
        : `No queue of the exchange "${exchange}" takes the routing key`;
    entry.returned = `${where} "${routingKey}" (${replyText}).`;
  }

  /** The client gives an error of the channel to the message that has waited longest, which need not be its cause. */
  #refused(id: string, entry: Unconfirmed, error: unknown): void {
    this.#lastAnswerAtMs = performance.now();
    if (this.#usable) {
      this.#settle(id, entry, this.#outcome(entry, error, false));
      return;
    }
    const waiting = [...this.#unconfirmed].filter(([, { confirmed }]) => !confirmed);
    const alone = waiting.length === 1;
    for (const [each, other] of waiting) this.#settle(each, other, this.#outcome(other, error, alone));
    // Known by its id no more, because the same message was sent again since.
    this.#settle(id, entry, this.#outcome(entry, error, alone));
  }

  #outcome({ prepared }: Unconfirmed, error: unknown, alone: boolean): PublishOutcome {
    const { envelope, body } = prepared;
    return outcomeOfError(error, { routingKey: envelope.routingKey ?? "", bodyBytes: body.length, alone });
  }

  /** A line on which nothing was confirmed since is taken for dead; else it is only this message's queue that is slow. */
  #late(id: string, entry: Unconfirmed): void {
    const ms = this.#options.timeoutMs;
    if (this.#blockedBy !== null) this.#settle(id, entry, blocked(this.#blockedBy));
    else
      this.#settle(
        id,
        entry,
        failed("timeout", "ambiguous", `The broker did not confirm the message within ${ms} ms.`),
      );
    if (this.#lastAnswerAtMs < entry.sentAtMs) this.#drop();
  }

  #settle(id: string, entry: Unconfirmed, outcome: PublishOutcome): void {
    clearTimeout(entry.timer);
    if (this.#unconfirmed.get(id) === entry) this.#unconfirmed.delete(id);
    entry.resolve(outcome);
  }

  #drop(): void {
    if (!this.#usable) return;
    this.#usable = false;
    this.#connection.unsafeDestroy();
  }

  async close(): Promise<void> {
    for (const [id, entry] of this.#unconfirmed) this.#settle(id, entry, ABORTED);
    this.#drop();
  }
}

function blocked(reason: string): PublishOutcome {
  return failed("throttled", "environment", `The broker takes nothing from publishers: ${reason}.`);
}
