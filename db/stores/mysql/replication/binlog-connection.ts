import { randomInt } from "node:crypto";
import type { Socket } from "node:net";
import type ZongJi from "@vlasky/zongji";
import type { Connection } from "mysql2";
import type { TableName } from "../../port/mapping.ts";
import { connectionOptions } from "../connection/connection-string.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { INCLUDED_EVENTS, type LibraryEvent, type LogEvent, toLogEvent } from "./log-events.ts";

/** From where to read: a place in a file, or behind the transactions of a set. */
export type BinlogStart = Pick<Checkpoint, "place" | "gtids">;

const CONNECT_TIMEOUT_MS = 10_000;
/** How often the server says that it has nothing to send. */
const HEARTBEAT_MS = 1000;
/** A connection that drops packets is never closed by either side; only a heartbeat shows that it is alive. */
const SILENT_MS = 10_000;
/** The server ends a reader that takes nothing for so long. */
const WRITE_TIMEOUT_S = 120;
/** A year: the most that the server takes. */
const IDLE_TIMEOUT_S = 31_536_000;
/** Numbers of replicas are unique on a server; ours are drawn from the upper half, far from those that people give. */
const LEAST_ID = 2 ** 31;
const MOST_ID = 2 ** 32 - 1;

export interface BinlogConnectionEvents {
  event(event: LogEvent): void;
  /** All events of one read from the socket were handed over. */
  flushed(): void;
  /** The connection ended without our request. */
  lost(error: Error): void;
}

/** One connection over which the server sends its binary log. */
export class BinlogConnection {
  readonly #client: ZongJi;
  readonly #events: BinlogConnectionEvents;
  #binlog: Connection | null = null;
  #over = false;
  #paused = false;
  #flushing = false;
  #bytes = 0;
  #heardAtMs = performance.now();
  #watch: NodeJS.Timeout | undefined;

  private constructor(client: ZongJi, events: BinlogConnectionEvents) {
    this.#client = client;
    this.#events = events;
  }

  /** Resolves once the server sends. Throws the driver's errors. */
  static async open(input: {
    url: string;
    table: TableName;
    start: BinlogStart;
    events: BinlogConnectionEvents;
  }): Promise<BinlogConnection> {
    // Loaded here: only a relay that reads the log needs it.
    const { default: Client } = await import("@vlasky/zongji");
    const client = new Client({
      ...connectionOptions(input.url),
      connectTimeout: CONNECT_TIMEOUT_MS,
      charset: "UTF8MB4_BIN",
      // Every value exact: no dates, no doubles for whole numbers and decimals.
      dateStrings: true,
      timezone: "Z",
      jsonStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: true,
      connectAttributes: { program_name: "outbox-console log" },
    });
    const opened = new BinlogConnection(client, input.events);
    await opened.#start(input.table, input.start);
    return opened;
  }

  /** Stops reading from the socket; events that are decoded already wait. */
  pause(): void {
    this.#paused = true;
    this.#binlog?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#heardAtMs = performance.now();
    // In a later turn, because the driver hands over waiting events at once and the caller has not finished the earlier
    // ones.
    setImmediate(() => {
      if (!this.#paused && !this.#over) this.#binlog?.resume();
    });
  }

  async close(): Promise<void> {
    this.#over = true;
    clearInterval(this.#watch);
    const stopped = new Promise<void>((resolve) => this.#client.once("stopped", () => resolve()));
    this.#client.stop();
    await stopped;
  }

  async #start(table: TableName, { place, gtids }: BinlogStart): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(timedOut("the server did not begin to send its log")), CONNECT_TIMEOUT_MS);
    let sending = false;
    this.#client.on("binlog", (event: unknown) => {
      if (!sending) {
        sending = true;
        resolve();
      }
      // The library's own types leave out fields that only some events have.
      this.#received(event as LibraryEvent);
    });
    this.#client.on("error", (error: Error) => {
      if (sending) this.#lose(error);
      else reject(error);
    });
    const from = place.file === "" ? { gtidSet: gtids ?? "" } : { filename: place.file, position: place.offset };
    this.#client.start({
      ...from,
      serverId: randomInt(LEAST_ID, MOST_ID),
      includeEvents: INCLUDED_EVENTS,
      includeSchema: { [table.schema]: [table.name] },
    });
    this.#binlog = this.#client.connection;
    // This connection is idle after the start, and the server would close it for that.
    this.#client.ctrlConnection?.query(
      `SET SESSION wait_timeout = ${IDLE_TIMEOUT_S}`,
      (error) => error && reject(error),
    );
    // Before the request for the log: commands of a connection are sent in order.
    this.#binlog?.query(
      `SET @master_heartbeat_period = ${HEARTBEAT_MS * 1_000_000}, @source_heartbeat_period = ${HEARTBEAT_MS * 1_000_000}, SESSION net_write_timeout = ${WRITE_TIMEOUT_S}`,
      (error) => error && reject(error),
    );
    try {
      await promise;
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    this.#watch = setInterval(() => this.#listen(), HEARTBEAT_MS);
  }

  #received(event: LibraryEvent): void {
    if (this.#over) return;
    const known = toLogEvent(event);
    if (known) this.#events.event(known);
    if (this.#flushing) return;
    this.#flushing = true;
    // All events of one read arrive in one turn; a microtask runs after them.
    queueMicrotask(() => {
      this.#flushing = false;
      if (!this.#over) this.#events.flushed();
    });
  }

  #listen(): void {
    const { bytesRead } = (this.#binlog as unknown as { stream: Socket } | null)?.stream ?? { bytesRead: 0 };
    if (bytesRead !== this.#bytes || this.#paused) this.#heardAtMs = performance.now();
    this.#bytes = bytesRead;
    if (performance.now() - this.#heardAtMs > SILENT_MS)
      this.#lose(timedOut(`the server has not answered for ${SILENT_MS / 1000} s`));
  }

  #lose(error: Error): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#watch);
    this.#client.once("stopped", () => this.#events.lost(error));
    this.#client.stop();
  }
}

function timedOut(message: string): Error {
  return Object.assign(new Error(message), { code: "ETIMEDOUT" });
}
