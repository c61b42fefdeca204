import type { Socket } from "node:net";
import { type Connection, createConnection, type QueryError, type ResultSetHeader } from "mysql2";
import { AppError } from "#domain/errors.ts";
import { markRefusal } from "./connection-refusal.ts";
import { connectionOptions } from "./connection-string.ts";

export interface ServerFacts {
  flavor: "mysql" | "mariadb";
  /** 80015 is 8.0.15, 101119 is 10.11.19. */
  version: number;
  skipLocked: boolean;
}

/** Answer to one statement: rows as texts in select order, and the counts and the id of a write. */
export interface Result {
  rows: (string | null)[][];
  /** Rows that the WHERE found, changed or not. */
  affectedRows: number;
  /** Of an UPDATE: rows that the statement changed, before any trigger; 0 of other statements. */
  changedRows: number;
  insertId: string;
}

/** One connection with its own settings. */
export interface Link {
  readonly server: ServerFacts;
  /** The connection's number on the server, as KILL takes it. */
  readonly id: number;
  /**
   * Statements in one round trip; the result of each. A connection that is silent for `limitMs` is destroyed, and with
   * it the transaction; the server may go on with the statement for a while.
   */
  send(text: string, limitMs?: number): Promise<Result[]>;
  /**
   * The beginning of the next text to send, which sets the server's own limit of a statement: of reads on MySQL, of
   * every statement on MariaDB. Empty if the limit is set.
   */
  limiting(ms: number): string;
  /** True once nothing can be sent any more. */
  readonly lost: boolean;
  /** Says goodbye and closes. */
  end(): Promise<void>;
  destroy(): void;
}

export interface LinkOptions {
  url: string;
  applicationName: string;
  /** Sessions refuse to write. */
  readOnly: boolean;
  statementTimeoutMs: number;
  /** The server closes a connection, and rolls back its transaction, after so much idleness. Whole seconds. */
  idleLimitMs: number;
}

/** Longest time for a connection to be made, ms. */
const CONNECT_TIMEOUT_MS = 3000;
/** How much longer the client waits than the server may take, ms; covers a server that hangs. */
const CLIENT_EXTRA_MS = 2000;

/**
 * Strict, so that the server stores no value cut or changed, but without the modes that refuse values of existing rows:
 * zero dates, and a key of 0. Replaces the server's own mode, because ANSI_QUOTES and NO_BACKSLASH_ESCAPES would change
 * the meaning of our statements.
 */
const SQL_MODE = "STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,NO_ENGINE_SUBSTITUTION";

/**
 * A client that reads nothing of its answer for so long is frozen, s: the server closes its connection and frees its
 * locks.
 */
const STALLED_S = 5;

/**
 * Bytes at which MariaDB's JSON_ARRAYAGG and both servers' GROUP_CONCAT cut their result. Four times the value must be
 * below 2^32: MySQL computes the bytes of that many characters in 32 bits, so 2^30 would cut at 256.
 */
const LONGEST_AGGREGATE = 1 << 28;

/**
 * A server may have such settings for all sessions. They would cut our answers without an error, refuse our reads,
 * continue or end the connection with each commit, or find rows by a comparison with NULL.
 */
const WITHOUT_LIMITS =
  "sql_select_limit = 18446744073709551615, sql_big_selects = 1, completion_type = 0, sql_auto_is_null = 0";

/**
 * MySQL would show table sizes that are up to a day old; MariaDB would turn a list of a thousand keys into a join with
 * a temporary table.
 */
const OF_FLAVOR = { mysql: "information_schema_stats_expiry = 0", mariadb: "in_predicate_conversion_threshold = 0" };

/** Connects. Throws the driver's errors; `unavailable` for a server that is too old. */
export async function openLink(options: LinkOptions): Promise<Link> {
  const connection = createConnection({
    ...connectionOptions(options.url),
    charset: "UTF8MB4_BIN",
    connectTimeout: CONNECT_TIMEOUT_MS,
    multipleStatements: true,
    rowsAsArray: true,
    bigNumberStrings: true,
    supportBigNumbers: true,
    // Every value as the server prints it. Text comes as utf8mb4; columns of bytes that are shown are read by HEX().
    typeCast: (field) => field.buffer()?.toString("utf8") ?? null,
    flags: ["FOUND_ROWS", "-LOCAL_FILES", "-IGNORE_SPACE"],
    connectAttributes: { program_name: options.applicationName },
    // No statement is prepared. The driver's default of 16,000 allocates half a megabyte, in 0.7 ms of processor time.
    maxPreparedStatements: 1,
  });
  const link = new DriverLink(connection, options.statementTimeoutMs);
  try {
    await shakeHands(connection);
    await link.prepare(options);
    return link;
  } catch (error) {
    link.destroy();
    throw error;
  }
}

function shakeHands(connection: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.connect((error) => {
      if (!error) return resolve();
      markRefusal(error);
      reject(error);
    });
  });
}

class DriverLink implements Link {
  readonly #connection: Connection;
  #server: ServerFacts = { flavor: "mysql", version: 0, skipLocked: true };
  #statementMs: number;
  #lost = false;

  constructor(connection: Connection, statementMs: number) {
    this.#connection = connection;
    this.#statementMs = statementMs;
    // A connection that dies between statements fails the next one; without a listener the event would end the process.
    const lose = () => {
      this.#lost = true;
    };
    for (const event of ["error", "end"]) connection.on(event, lose);
  }

  get server(): ServerFacts {
    return this.#server;
  }

  get id(): number {
    return this.#connection.threadId ?? 0;
  }

  get lost(): boolean {
    return this.#lost;
  }

  async prepare({ readOnly, idleLimitMs }: LinkOptions): Promise<void> {
    const [version] = await this.send("SELECT VERSION()", CONNECT_TIMEOUT_MS);
    this.#server = factsOf(version?.rows[0]?.[0] ?? "");
    const idleSeconds = Math.ceil(idleLimitMs / 1000);
    await this.send(
      [
        "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
        `SET SESSION sql_mode = '${SQL_MODE}', time_zone = '+00:00', autocommit = 1, innodb_lock_wait_timeout = 1,
         lock_wait_timeout = 1, wait_timeout = ${idleSeconds}, net_write_timeout = ${STALLED_S}, group_concat_max_len = ${LONGEST_AGGREGATE},
         sql_safe_updates = 0, ${WITHOUT_LIMITS}, ${OF_FLAVOR[this.#server.flavor]}, ${this.#limit()}`,
        `SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED${readOnly ? ", READ ONLY" : ", READ WRITE"}`,
      ].join("; "),
      CONNECT_TIMEOUT_MS,
    );
  }

  limiting(ms: number): string {
    if (ms === this.#statementMs) return "";
    this.#statementMs = ms;
    return `SET SESSION ${this.#limit()}; `;
  }

  #limit(): string {
    const ms = Math.floor(this.#statementMs);
    return this.#server.flavor === "mariadb" ? `max_statement_time = ${ms / 1000}` : `max_execution_time = ${ms}`;
  }

  send(text: string, limitMs = this.#statementMs + CLIENT_EXTRA_MS): Promise<Result[]> {
    return new Promise((resolve, reject) => {
      this.#connection.query({ sql: text, timeout: limitMs }, (error, rows, fields) => {
        if (error) {
          const { code, fatal } = error;
          if (fatal || code === "PROTOCOL_SEQUENCE_TIMEOUT") this.destroy();
          reject(withoutStatement(error));
        } else resolve(resultsOf(rows, fields));
      });
    });
  }

  async end(): Promise<void> {
    if (this.#lost) return this.destroy();
    this.#lost = true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 1000);
      this.#connection.end(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.destroy();
  }

  destroy(): void {
    this.#lost = true;
    this.#connection.destroy();
    // The driver would wait until the server closes its side, which a silent server does not.
    (this.#connection as unknown as { stream: Socket }).stream.destroy();
  }
}

/** The driver keeps the statement, and with it values of rows, in the error that a log would show. */
function withoutStatement(error: QueryError): Error {
  if ("sql" in error) delete (error as { sql?: string }).sql;
  return error;
}

/** The driver answers one statement by its rows or header, several by a list of those. */
function resultsOf(rows: unknown, fields: unknown): Result[] {
  const several =
    Array.isArray(rows) && Array.isArray(fields) && fields.some((part) => part === undefined || Array.isArray(part));
  return (several ? rows : [rows]).map(resultOf);
}

function resultOf(part: unknown): Result {
  if (Array.isArray(part)) return { rows: part, affectedRows: 0, changedRows: 0, insertId: "0" };
  const { affectedRows, changedRows, insertId } = part as ResultSetHeader;
  return {
    rows: [],
    affectedRows: Number(affectedRows),
    changedRows: Number(changedRows ?? 0),
    insertId: String(insertId),
  };
}

/** Versions below lack SKIP LOCKED, JSON_TABLE or both, without which no relay can run. */
const OLDEST = { mysql: 80004, mariadb: 100600 };

function factsOf(version: string): ServerFacts {
  const flavor = /mariadb/i.test(version) ? "mariadb" : "mysql";
  // MariaDB before 11 calls itself 5.5.5-10.x to clients that would not know a version of two digits.
  const [major = 0, minor = 0, patch = 0] = version
    .replace(/^5\.5\.5-/, "")
    .split(/[.-]/)
    .map((part) => Number.parseInt(part, 10));
  const number = major * 10_000 + minor * 100 + (Number.isNaN(patch) ? 0 : patch);
  if (number < OLDEST[flavor])
    throw new AppError(
      "unavailable",
      `The server is ${flavor === "mariadb" ? "MariaDB" : "MySQL"} ${major}.${minor}; MySQL 8.0 and MariaDB 10.6 are the oldest that work.`,
    );
  return { flavor, version: number, skipLocked: true };
}
