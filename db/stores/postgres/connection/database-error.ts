import { causeOf, errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { AppError, type ErrorCode, isAppError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { noAnswer } from "../../shared/connection/no-answer.ts";
import { explainRefusal } from "./connection-refusal.ts";

const CONNECTION_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
]);

/** True if the database could not be reached; false if it refused the request. */
export function isConnectionError(thrown: unknown): boolean {
  const error = causeOf(thrown);
  const code = errorCode(error) ?? "";
  if (CONNECTION_CODES.has(code) || code.startsWith("08") || code.startsWith("57P")) return true;
  // A Unix socket that does not exist or is closed to this user.
  if (error instanceof Error && "syscall" in error && error.syscall === "connect") return true;
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  if (error instanceof CommitInDoubtError) return true;
  const message = error instanceof Error ? error.message : "";
  return /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/i.test(
    message,
  );
}

const READ_ONLY = "25006";

/**
 * True if the connection is of no more use although it works: its server is a standby, or its session read-only. After
 * a failover or a switchover, the address may lead to another server, but an open connection stays with the one that it
 * reached.
 */
export function isOutdated(thrown: unknown): boolean {
  return errorCode(thrown) === READ_ONLY;
}

/** A generated column can only be set to its default. */
const GENERATED = "428C9";

/** Turns a failed query or connection into an error for operators, without SQL text or hosts. */
export function toDatabaseError(thrown: unknown, store: string): AppError {
  const error = causeOf(thrown);
  if (isAppError(error)) return error;
  const code = errorCode(error);
  const wrap = (kind: ErrorCode, message: string) => new AppError(kind, message, { cause: error });
  const refusal = explainRefusal(error, store);
  if (refusal !== null) return wrap("unavailable", refusal);
  if (code === "3D000")
    return wrap("unavailable", `The database named in the URL of ${store} does not exist on that server.`);
  if (code === "42501")
    return wrap(
      "forbidden",
      `The database user of ${store} lacks the permission for this (${whatWasRefused(error)}). \`${ourCommand("doctor")}\` prints the GRANTs it needs.`,
    );
  if (code === "57014")
    return wrap(
      "query_timeout",
      `The database of ${store} took too long to answer; narrow the filter or add the recommended index.`,
    );
  if (code === "40P01" || code === "40001")
    return wrap("locked", `Another session changed the same rows in ${store} at the same time; try again.`);
  if (isRefusal(code))
    return wrap("conflict", `The table of ${store} refuses this change (${constraintOf(error)}): nothing was changed.`);
  if (code === READ_ONLY)
    return wrap("unavailable", `The database of ${store} accepts no writes: it is a standby or read-only.`);
  if (code === "55P03")
    return wrap("locked", `Another session holds a lock on a row or on the whole table of ${store}; try again.`);
  const own = missingOwnObject(error);
  if (own !== null)
    return wrap(
      "unavailable",
      `The console's own ${own} is not in the database of ${store}. \`${ourCommand("migrate")}\` creates it if it never existed; if it was dropped or renamed, rename it back or restore it from a backup.`,
    );
  if (code === "42P01" || code === "42703")
    return wrap(
      "unavailable",
      `A table or column of ${store} no longer exists; the mapping is reread within a minute.`,
    );
  if (isSchemaError(error)) return wrap("unavailable", changedTable(error, store));
  if (code === "53300") return wrap("unavailable", noConnectionLeft(error, store));
  const trouble = ownTrouble(error, store);
  if (trouble !== null) return wrap("unavailable", trouble);
  // The driver reports the same whether the server is silent or all our connections are busy.
  if (error instanceof Error && error.message.includes("timeout exceeded when trying to connect"))
    return wrap(
      "unavailable",
      `The database of ${store} does not answer, or every connection to it is busy. Try again in a moment.`,
    );
  if (isConnectionError(error)) return wrap("unavailable", noAnswer(store, error, code));
  return wrap("internal", unknownError(code, store));
}

/** For an error that nothing above knows: its text may contain data, its SQLSTATE does not. */
function unknownError(code: string | undefined, store: string): string {
  return /^[0-9A-Z]{5}$/.test(code ?? "")
    ? `The database of ${store} answered with an error (SQLSTATE ${code}); the console's log has its words.`
    : "Internal error.";
}

function changedTable(error: unknown, store: string): string {
  const lacking = enumWithoutWord(error);
  const how =
    lacking === null
      ? `a column has another type (SQLSTATE ${errorCode(error)})`
      : `the type ${lacking} lacks a word of it`;
  return `The table of ${store} is not what the mapping says: ${how}; the mapping is reread within a minute.`;
}

/**
 * The limits of the server, a role and a database share an SQLSTATE but need different remedies. The message about the
 * server's last connections names roles, too: those for which they are reserved.
 */
function noConnectionLeft(error: unknown, store: string): string {
  const limited =
    error instanceof Error ? /^too many connections for (role|database)\b/.exec(error.message)?.[1] : undefined;
  return limited
    ? `The database of ${store} has no connection left for this ${limited === "role" ? "user" : "database"} (CONNECTION LIMIT). \`${ourCommand("doctor")}\` says how many are needed.`
    : `The server of ${store} has no connection left (max_connections): pg_stat_activity there shows who holds them. \`${ourCommand("doctor")}\` says how many we need.`;
}

/** PgBouncer's words, all with the SQLSTATE of a broken protocol. */
const POOLER_TROUBLES: [RegExp, string][] = [
  [
    /server login has been failing|server_login_retry|cannot connect to server|server conn crashed/,
    "does not reach its server",
  ],
  [/query_wait_timeout|client_idle_timeout|query_timeout/, "has no connection left for this statement"],
  [/no more connections allowed/, "takes no more clients (max_client_conn)"],
  [/database .* is (?:disabled|paused)|pooler is shut ?down|server shutting down/, "is paused or shutting down"],
];

/** Trouble that the server, or a pooler in front of it, reports about itself. */
function ownTrouble(error: unknown, store: string): string | null {
  const ofServer = serverTrouble(error);
  if (ofServer !== null) return `The database of ${store} ${ofServer}.`;
  const ofPooler = poolerTrouble(error);
  return ofPooler === null ? null : `The pooler in front of the database of ${store} ${ofPooler}.`;
}

function poolerTrouble(error: unknown): string | null {
  if (!(error instanceof Error) || errorCode(error) !== "08P01") return null;
  const found = POOLER_TROUBLES.find(([words]) => words.test(error.message));
  return found ? `${found[1]} (${(error.message.split("\n", 1)[0] ?? "").slice(0, 120)})` : null;
}

const OWN_OBJECT =
  /^relation "(outbox_console(?:_app)?\.\w+)" does not exist$|^schema "(outbox_console(?:_app)?)" does not exist$/;

/** The table or schema of ours that a statement did not find: no mapping of the user's tables is to blame. */
function missingOwnObject(thrown: unknown): string | null {
  const error = causeOf(thrown);
  const [, table, schema] = OWN_OBJECT.exec(error instanceof Error ? error.message : "") ?? [];
  return table ? `table ${table}` : schema ? `schema ${schema}` : null;
}

/** SQLSTATEs for a table, column, type or function of the statement that is missing or of another kind. */
const SCHEMA_ERRORS = new Set(["42P01", "42703", "3F000", "42804", "42809", "42846", "42883", "42704", "428C9"]);

/** True if the user's table is not as the statement expects it. One of our own tables says nothing about the user's. */
export function isSchemaError(thrown: unknown): boolean {
  if (missingOwnObject(thrown) !== null) return false;
  return SCHEMA_ERRORS.has(errorCode(thrown) ?? "") || enumWithoutWord(thrown) !== null;
}

/** The enum that does not have a word of the statement; null for any other error. */
function enumWithoutWord(thrown: unknown): string | null {
  const error = causeOf(thrown);
  if (errorCode(error) !== "22P02" || !(error instanceof Error)) return null;
  return /^invalid input value for enum (\S+):/.exec(error.message)?.[1] ?? null;
}

/**
 * SQLSTATEs, or their classes, that describe the server's state rather than a statement. The most precise come first.
 */
const SERVER_TROUBLES: [string, string][] = [
  ["57P01", "has ended our connection or is shutting down"],
  ["57P02", "has crashed and starts again"],
  ["57P03", "is starting up, shutting down or recovering"],
  ["57P05", "ends sessions that rest, by idle_session_timeout of our user or database"],
  ["25P03", "ends transactions that rest, by idle_in_transaction_session_timeout of our user or database: raise it"],
  ["25P04", "ends our transactions, by transaction_timeout of our user or database: raise it"],
  ["53100", "has no space left on its disk"],
  ["53200", "is out of memory"],
  ["53", "is short of a resource"],
  ["58", "cannot read or write its files"],
  ["XX001", "has a damaged table"],
  ["XX002", "has a damaged index"],
];

function troubleOf(error: unknown): [string, string] | undefined {
  const code = errorCode(error) ?? "";
  // A socket's code may begin like a class of SQLSTATEs.
  return code.length === 5 ? SERVER_TROUBLES.find(([start]) => code.startsWith(start)) : undefined;
}

/** True if the server's state refuses the statement: others are refused as well. */
export function isServerTrouble(thrown: unknown): boolean {
  return troubleOf(thrown) !== undefined;
}

/** The server's own words name files, sizes and limits, never rows. */
function serverTrouble(error: unknown): string | null {
  const known = troubleOf(error);
  if (known === undefined || !(error instanceof Error)) return null;
  if (/^(?:57P|25P)/.test(known[0])) return known[1];
  return `${known[1]} (${error.message.split("\n", 1)[0]?.slice(0, 200)})`;
}

/**
 * Raised by a trigger, a view's check, a generated column, and a value that is too long or too large for its column.
 */
const REFUSALS: ReadonlySet<string> = new Set(["P0001", "44000", GENERATED, "22001", "22003"]);

const isRefusal = (code: string | undefined) => code?.startsWith("23") === true || REFUSALS.has(code ?? "");

/** A constraint's name is safe to show; a trigger's text may contain data and is left out. */
function constraintOf(error: unknown): string {
  const name = error instanceof Error && "constraint" in error ? error.constraint : undefined;
  if (typeof name === "string") return `constraint ${name}`;
  const code = errorCode(error);
  if (code === GENERATED) return "it computes a column that would have to be written";
  if (code?.startsWith("22")) return "a value does not fit its column";
  return code === "P0001" ? "a trigger raised an error" : "a constraint, or no partition takes the row";
}

/** The server's own text, with names of objects. Leaves out a trigger's text, which may contain data. */
export function whatWasRefused(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  return (
    /^(?:permission denied for [a-z ]+ \S+|must be owner of [a-z ]+ \S+)$/.exec(message)?.[0] ?? "permission denied"
  );
}
