import { isIP } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Redis } from "ioredis";
import type { Failure } from "#domain/failure.ts";
import type { TlsOptions } from "../tls-options.ts";
import { failureOfConnection } from "./classify.ts";

export interface RedisConnectionOptions {
  url: string;
  /** Undefined: as the URL says. */
  tls: TlsOptions | undefined;
  connectTimeoutMs: number;
}

const FIRST_RECONNECT_MS = 50;
const LONGEST_RECONNECT_MS = 1000;

/**
 * One connection that comes back by itself. It never keeps a command for later and never sends one twice: what to do
 * about a lost connection is the relay's to decide.
 */
export class RedisConnection {
  readonly #redis: Redis;
  readonly #connectTimeoutMs: number;
  readonly #url: URL;
  /** Why the latest try to connect failed. */
  #lastError: unknown;

  constructor({ url, tls, connectTimeoutMs }: RedisConnectionOptions) {
    this.#url = new URL(url);
    this.#connectTimeoutMs = connectTimeoutMs;
    const host = this.#url.hostname.replace(/^\[|\]$/g, "") || "127.0.0.1";
    const secure = this.#url.protocol === "rediss:" || tls !== undefined;
    const user = decodeURIComponent(this.#url.username);
    const password = decodeURIComponent(this.#url.password);
    this.#redis = new Redis({
      host,
      port: Number(this.#url.port || 6379),
      db: Number(this.#url.pathname.slice(1) || 0),
      ...(user === "" ? {} : { username: user }),
      ...(password === "" ? {} : { password }),
      ...(secure ? { tls: { ...(isIP(host) ? {} : { servername: host }), ...tls } } : {}),
      protocol: 2,
      connectTimeout: connectTimeoutMs,
      disconnectTimeout: 200,
      connectionName: "outbox-console",
      disableClientInfo: true,
      lazyConnect: true,
      enableReadyCheck: false,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(FIRST_RECONNECT_MS * 2 ** (times - 1), LONGEST_RECONNECT_MS),
    });
    this.#redis.on("error", (error) => {
      this.#lastError = error;
    });
    this.#redis.on("ready", () => {
      this.#lastError = undefined;
    });
  }

  /** For people: no user, password or query. */
  get address(): string {
    const database = this.#url.pathname.slice(1);
    return `${this.#url.protocol}//${this.#url.host}${database === "" ? "" : `/${database}`}`;
  }

  /** Null once commands can be sent. A try to connect that is under way is waited for; else it is told at once. */
  async whyNotReady(): Promise<Failure | null> {
    const { status } = this.#redis;
    if (status === "ready") return null;
    if (status === "wait") this.#redis.connect().catch(() => undefined);
    else if (status !== "connecting" && status !== "connect") {
      // Whoever asks again and again must not keep the connection from coming back.
      await nextTurn();
      return failureOfConnection(this.#lastError);
    }
    return await this.#attempt();
  }

  /** A server that takes the connection and says nothing would be waited for for ever. */
  #attempt(): Promise<Failure | null> {
    return new Promise((resolve) => {
      const done = (failure: Failure | null) => {
        clearTimeout(timer);
        this.#redis.off("ready", ready).off("close", closed).off("end", closed);
        resolve(failure);
      };
      const ready = () => done(null);
      const closed = () => done(failureOfConnection(this.#lastError));
      const timer = setTimeout(() => {
        done(failureOfConnection(new Error(`${this.address} took the connection and did not answer`)));
        this.reconnect();
      }, this.#connectTimeoutMs + 500);
      this.#redis.on("ready", ready).on("close", closed).on("end", closed);
    });
  }

  /** Rejects when the connection is lost, or with Redis' own error. */
  send(command: string, args: (string | Buffer | number)[]): Promise<unknown> {
    return this.#redis.call(command, args);
  }

  /** Gives the connection up for a new one: it is stalled, or its server is no longer the one to write to. */
  reconnect(): void {
    if (this.#redis.status !== "end") this.#redis.disconnect(true);
  }

  close(): void {
    this.#redis.disconnect();
  }
}
