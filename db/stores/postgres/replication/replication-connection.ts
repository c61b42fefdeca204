import pg from "pg";
import { connectionString } from "#db/stores/postgres/connection/connection-string.ts";
import { quoteIdentifier, quoteLiteral } from "../tables/mapping-sql.ts";
import type { Lsn } from "./lsn.ts";

export interface ReplicationEvents {
  /** One message of the output plugin; the buffer is only valid during the call. */
  data(message: Buffer): void;
  /** The server has sent everything up to `walEnd`. */
  keepalive(walEnd: Lsn): void;
  /** All messages of one socket read have been processed. */
  flushed(): void;
  /** Called when the server is silent: true if it is decoding a long transaction, during which it sends nothing. */
  isAtWork(): Promise<boolean>;
}

/** Values in the stream must have the same text format as in the relay's other sessions. */
const SETTINGS = [
  "-c TimeZone=UTC -c DateStyle=ISO -c bytea_output=hex -c statement_timeout=0",
  // A dead connection must not hold the slot on the server longer than on our side.
  "-c wal_sender_timeout=15s",
].join(" ");
const CONNECT_TIMEOUT_MS = 3000;
/** Interval of status updates, also while paused: after wal_sender_timeout without one the server disconnects. */
const STATUS_MS = 1000;
/** Silent status updates after which the server is asked to answer, and after which the connection is dead. */
const ASK_TICKS = 5;
const SILENT_TICKS = 15;
/** Confirmations are batched this long. */
const CONFIRM_MS = 50;
const CLOSE_MS = 500;
const POSTGRES_EPOCH_MS = 946_684_800_000;

/** Members of `pg` that its types omit. */
interface ReplicationSocket extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  on(event: "copyData", listener: (message: { chunk: Buffer }) => void): this;
}

/** A connection that reads one slot with pgoutput. START_REPLICATION is the only command sent over it. */
export class ReplicationConnection {
  readonly #client: pg.Client;
  readonly #socket: ReplicationSocket;
  readonly #events: ReplicationEvents;
  #received: Lsn = 0n;
  #confirmed: Lsn = 0n;
  #told: Lsn = 0n;
  #soon: NodeJS.Timeout | undefined;
  #regular: NodeJS.Timeout | undefined;
  readonly #statusMs: number;
  /**
   * Status updates since the last data; a count, so that a pause of our process is not taken for the server's silence.
   */
  #silentTicks = 0;
  #reading = true;
  #failure: Error | null = null;
  #closing = false;
  #pendingFlush = false;
  #ended: Promise<Error | null> = Promise.resolve(null);

  /** `statusMs`: interval of status updates, in which silence is counted too. */
  constructor(input: { url: string; events: ReplicationEvents; statusMs?: number }) {
    this.#events = input.events;
    this.#statusMs = input.statusMs ?? STATUS_MS;
    this.#client = new pg.Client({
      connectionString: withSettings(connectionString(input.url)),
      replication: "database",
      application_name: "outbox-console stream",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
    } as pg.ClientConfig);
    this.#client.on("error", () => undefined);
    this.#socket = (this.#client as unknown as { connection: ReplicationSocket }).connection;
  }

  /** Resolves when the stream ends, with the error that ended it; null after `close`. */
  get ended(): Promise<Error | null> {
    return this.#ended;
  }

  /** Rejects if the connection or the slot is not available. */
  async start(input: { slot: string; publication: string }): Promise<void> {
    await this.#client.connect();
    const publications = quoteLiteral(quoteIdentifier(input.publication));
    const started = new Promise<void>((resolve) => this.#socket.once("replicationStart", () => resolve()));
    this.#socket.on("copyData", ({ chunk }) => this.#onData(chunk));
    const over = this.#client
      .query(
        `START_REPLICATION SLOT ${quoteIdentifier(input.slot)} LOGICAL 0/0 (proto_version '1', publication_names ${publications})`,
      )
      .then(
        () => new Error("The server ended the stream."),
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      );
    this.#ended = over.then((error) => {
      this.#stopTimers();
      return this.#closing ? this.#failure : error;
    });
    const failed = await Promise.race([started.then(() => null), over]);
    if (failed) {
      await this.close();
      throw failed;
    }
    this.#regular = setInterval(() => this.#tick(), this.#statusMs);
  }

  confirm(lsn: Lsn): void {
    if (lsn <= this.#confirmed) return;
    this.#confirmed = lsn;
    if (lsn > this.#received) this.#received = lsn;
    this.#soon ??= setTimeout(() => this.#tell(), CONFIRM_MS);
  }

  pause(): void {
    this.#reading = false;
    this.#socket.stream.pause();
  }
  resume(): void {
    this.#reading = true;
    this.#silentTicks = 0;
    this.#socket.stream.resume();
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    if (this.#confirmed > this.#told) this.#tell();
    this.#stopTimers();
    const { stream } = this.#socket;
    if (stream.destroyed) return;
    const gone = new Promise<void>((resolve) => stream.once("close", () => resolve()));
    const timer = setTimeout(() => stream.destroy(), CLOSE_MS);
    stream.resume();
    this.#socket.end();
    await gone;
    clearTimeout(timer);
  }

  /** A connection that drops packets is never closed by either side; only an answer shows that it is alive. */
  #tick(): void {
    if (!this.#reading) {
      this.#tell();
      return;
    }
    this.#silentTicks += 1;
    this.#tell(this.#silentTicks % ASK_TICKS === 0);
    if (this.#silentTicks % SILENT_TICKS === 0) void this.#judgeSilence();
  }

  async #judgeSilence(): Promise<void> {
    // If the check fails, treat it as silence.
    const atWork = await this.#events.isAtWork().catch(() => false);
    if (atWork || this.#silentTicks < SILENT_TICKS || !this.#reading || this.#closing) return;
    const seconds = Math.round((SILENT_TICKS * this.#statusMs) / 1000);
    this.#failure = Object.assign(new Error(`the server has not answered for ${seconds} s`), { code: "ETIMEDOUT" });
    await this.close();
  }

  #onData(chunk: Buffer): void {
    this.#silentTicks = 0;
    if (this.#closing) return;
    const first = chunk[0];
    if (first === 0x77) {
      // w: start, end of log, time
      const start = chunk.readBigUInt64BE(1);
      if (start > this.#received) this.#received = start;
      this.#events.data(chunk.subarray(25));
      this.#flushSoon();
    } else if (first === 0x6b) {
      // k: end of log, time, whether to answer at once
      const walEnd = chunk.readBigUInt64BE(1);
      if (walEnd > this.#received) this.#received = walEnd;
      this.#events.keepalive(walEnd);
      if (chunk[17] === 1) this.#tell();
    }
  }

  /** All messages of one read arrive synchronously; a microtask runs after them. */
  #flushSoon(): void {
    if (this.#pendingFlush) return;
    this.#pendingFlush = true;
    queueMicrotask(() => {
      this.#pendingFlush = false;
      this.#events.flushed();
    });
  }

  /** Standby status update: written = received, flushed and applied = confirmed. `answer`: requests a reply. */
  #tell(answer = false): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    if (!this.#socket.stream.writable) return;
    const status = Buffer.alloc(34);
    status[0] = 0x72;
    status.writeBigUInt64BE(this.#received, 1);
    status.writeBigUInt64BE(this.#confirmed, 9);
    status.writeBigUInt64BE(this.#confirmed, 17);
    status.writeBigInt64BE(BigInt(Date.now() - POSTGRES_EPOCH_MS) * 1000n, 25);
    status[33] = answer ? 1 : 0;
    this.#socket.sendCopyFromChunk(status);
    this.#told = this.#confirmed;
  }

  #stopTimers(): void {
    clearTimeout(this.#soon);
    clearInterval(this.#regular);
  }
}

/** Keeps the URL's own options; ours come last and win. */
function withSettings(url: string): string {
  const parsed = new URL(url);
  parsed.searchParams.set("options", [parsed.searchParams.get("options"), SETTINGS].filter(Boolean).join(" "));
  return parsed.toString();
}
