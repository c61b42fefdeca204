import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Link } from "../shared-link.ts";
import { NotSentError } from "./classify-failure.ts";
import { CommandWriter } from "./command-writer.ts";
import type { RedisLinkOptions } from "./link-options.ts";
import { type Reply, ReplyError, ReplyReader } from "./reply-reader.ts";

/** Encoded commands for one write. */
export interface Batch {
  bytes: Buffer;
  /** Number of replies they produce. */
  replies: number;
  /** Called for each reply as it arrives; `n` counts from 0. */
  onReply(reply: Reply, n: number): void;
}

interface Unanswered extends Batch {
  answered: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * One connection, which ends permanently with its first error. It never queues a command and never sends one twice: the
 * relay decides how to react to a lost connection.
 */
export class RedisLink implements Link {
  readonly #socket: Socket;
  readonly #reader = new ReplyReader();
  readonly #unanswered: Unanswered[] = [];
  #usable = true;
  /** Error that ended the connection. */
  #end: unknown;

  private constructor({ host, port, tls }: RedisLinkOptions) {
    this.#socket = tls ? connectTls({ host, port, ...tls }) : connectTcp({ host, port });
    this.#socket.setNoDelay(true);
    this.#socket.setKeepAlive(true);
    this.#socket.on("data", (bytes: Buffer) => this.#read(bytes));
    this.#socket.on("error", (error) => this.#over(error));
    this.#socket.on("close", () => this.#over(new Error("Redis closed the connection")));
  }

  /** Opens a connection. Rejects with the network's, TLS's or Redis' error. */
  static async open(options: RedisLinkOptions): Promise<RedisLink> {
    const link = new RedisLink(options);
    const { address, connectTimeoutMs } = options;
    const timer = setTimeout(
      () => link.#over(new Error(`${address} did not answer within ${connectTimeoutMs} ms`)),
      connectTimeoutMs,
    );
    try {
      await link.#connected(options);
      await link.#greet(options);
      return link;
    } catch (error) {
      link.#over(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get usable(): boolean {
    return this.#usable;
  }
  get idle(): boolean {
    return this.#unanswered.length === 0;
  }

  /** Nothing may be written earlier: under TLS it would be sent before the certificate is verified. */
  #connected({ tls }: RedisLinkOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once(tls ? "secureConnect" : "connect", resolve);
      this.#socket.once("close", () => reject(this.#end));
    });
  }

  async #greet({ user, password, database }: RedisLinkOptions): Promise<void> {
    const writer = new CommandWriter();
    const checks: ((reply: Reply) => void)[] = [];
    if (password !== "") {
      writer.command(["AUTH", ...(user === "" ? [] : [user]), password]);
      checks.push(checkSignedIn);
    }
    if (database !== 0) {
      writer.command(["SELECT", String(database)]);
      checks.push(checkDone);
    }
    writer.command(["CLIENT", "SETNAME", "outbox-console"]);
    // The client name is a convenience, and a user may lack the permission to set one.
    checks.push(checkLetIn);
    const replies: Reply[] = [];
    await this.send({
      bytes: writer.bytes(),
      replies: checks.length,
      onReply: (reply) => replies.push(reply),
    });
    for (const [n, check] of checks.entries()) check(replies[n] ?? null);
  }

  /**
   * Resolves when every reply has arrived. Rejects when the connection is lost, with NotSentError if nothing was sent.
   */
  send(batch: Batch): Promise<void> {
    if (!this.#usable) return Promise.reject(new NotSentError());
    return new Promise((resolve, reject) => {
      this.#unanswered.push({ ...batch, answered: 0, resolve, reject });
      this.#socket.write(batch.bytes);
    });
  }

  /** Resolves with the single reply of one command. Rejects with Redis' own error too. */
  async ask(...words: string[]): Promise<Reply> {
    const replies: Reply[] = [];
    const onReply = (reply: Reply) => replies.push(reply);
    await this.send({ bytes: new CommandWriter().command(words).bytes(), replies: 1, onReply });
    const [reply = null] = replies;
    if (reply instanceof ReplyError) throw reply;
    return reply;
  }

  #read(bytes: Buffer): void {
    try {
      for (const reply of this.#reader.read(bytes)) this.#answer(reply);
    } catch (error) {
      this.#over(error);
    }
    if (!this.#usable && this.idle) this.#socket.destroy();
  }

  #answer(reply: Reply): void {
    const [first] = this.#unanswered;
    if (!first) throw new Error("Redis sent a reply to no request");
    first.onReply(reply, first.answered);
    first.answered += 1;
    if (first.answered < first.replies) return;
    this.#unanswered.shift();
    first.resolve();
  }

  /** Accepts nothing more and closes after the last reply: another server may be in the place of this one. */
  retire(): void {
    this.#usable = false;
    if (this.idle) this.#socket.destroy();
  }

  #over(error: unknown): void {
    this.#usable = false;
    this.#end ??= error;
    this.#socket.destroy();
    for (const { reject } of this.#unanswered.splice(0)) reject(error);
  }

  /** `because`: the error for requests without an answer. */
  async close(because: unknown = new Error("the connection was closed")): Promise<void> {
    this.#over(because);
  }
}

function checkDone(reply: Reply): void {
  if (reply instanceof ReplyError) throw reply;
}

/** An unsolicited error, which Redis sends before it closes the connection, arrives as the first answer. */
function checkLetIn(reply: Reply): void {
  if (reply instanceof ReplyError && /max number of clients/.test(reply.message)) throw reply;
}

/** A server that requires no password is treated as one that accepts it. */
function checkSignedIn(reply: Reply): void {
  if (reply instanceof ReplyError && /no password is set|without any password configured/.test(reply.message)) return;
  checkDone(reply);
}
