import { causeOf, errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { AppError, type ErrorCode, isAppError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { noAnswer } from "../../shared/connection/no-answer.ts";
import { explainRefusal } from "./connection-refusal.ts";
import { isOwnName } from "./own-place.ts";

/** Codes of the socket and of the driver. PROTOCOL_SEQUENCE_TIMEOUT is our own limit for a silent server. */
const CONNECTION_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "PROTOCOL_CONNECTION_LOST",
  "PROTOCOL_SEQUENCE_TIMEOUT",
  "PROTOCOL_PACKETS_OUT_OF_ORDER",
  "PROTOCOL_UNEXPECTED_PACKET",
]);

/**
 * The connection has ended: shutdown of the server, KILL, a network failure, a lost packet, too long without a
 * statement.
 */
const CONNECTION_NUMBERS = new Set([1053, 1077, 1078, 1079, 1080, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 4031]);

export const LOCK_WAIT_TIMEOUT = 1205;
export const DEADLOCK = 1213;
export const DUPLICATE_KEY = 1062;
const NOWAIT_LOCKED = 3572;
const MISSING = new Set([1146, 1054, 1049, 1051, 1091]);
const FORBIDDEN = new Set([1142, 1143, 1044, 1045, 1227, 1370, 1698]);
const TIMED_OUT = new Set([3024, 1969, 1317, 3170]);
const SERVER_FULL = 1040;
const NO_CONNECTION_LEFT = new Set([SERVER_FULL, 1203, 1226]);
const READ_ONLY = new Set([1290, 1792, 1836]);
/** The disk or the tablespace is full, a file cannot be written, the server is out of memory. */
const SERVER_TROUBLES = new Set([1021, 1026, 1037, 1041, 1114, ...READ_ONLY]);
/** READ COMMITTED cannot be written to a binary log of statements. */
const BINLOG_OF_STATEMENTS = 1665;
/** A generated column can only be set to its default, in MySQL and MariaDB. */
const GENERATED: readonly number[] = [3105, 1906];
/** A key, a reference, a check, a trigger; and a value that its column cannot hold. */
const CONSTRAINTS = new Set([
  ...[1062, 1169, 1451, 1452, 1216, 1217, 3819, 4025, 1644, 1761, 1762, 1859, 1586],
  ...[1048, 1264, 1265, 1292, 1364, 1366, 1406, 1526],
  ...GENERATED,
]);

/** Every connection was busy for too long. */
export class AcquireTimeoutError extends Error {
  override readonly name = "AcquireTimeoutError";
  constructor() {
    super("Every connection was busy for too long.");
  }
}

/** The server's number of an error; undefined for one that is not the server's. */
export function errorNumber(thrown: unknown): number | undefined {
  const error = causeOf(thrown);
  return error instanceof Error && "errno" in error && typeof error.errno === "number" && error.errno > 0
    ? error.errno
    : undefined;
}

/** True for a row or a table that another session keeps locked for longer than we wait; not for a deadlock. */
export function isLockTimeout(thrown: unknown): boolean {
  const number = errorNumber(thrown);
  return number === LOCK_WAIT_TIMEOUT || number === NOWAIT_LOCKED;
}

const TABLE_CHANGED = 1412;

/** A table was changed or created after the transaction's snapshot was taken: another one can read it. */
export function isTableChanged(thrown: unknown): boolean {
  return errorNumber(thrown) === TABLE_CHANGED;
}

/** The server ended a statement that took longer than our limit. */
export function isTimeout(thrown: unknown): boolean {
  return TIMED_OUT.has(errorNumber(thrown) ?? 0);
}

/** The table does not take a row: a key, a check, a trigger, or a value that does not fit. */
export function isConstraint(thrown: unknown): boolean {
  return CONSTRAINTS.has(errorNumber(thrown) ?? 0);
}

/** True if the server's state, such as a full disk, is the reason: it refuses other statements as well. */
export function isServerTrouble(thrown: unknown): boolean {
  return SERVER_TROUBLES.has(errorNumber(thrown) ?? 0);
}

/** A table, column or database of the statement does not exist. */
export function isMissing(thrown: unknown): boolean {
  return MISSING.has(errorNumber(thrown) ?? 0);
}

/** The database user may not do it. */
export function isForbidden(thrown: unknown): boolean {
  return FORBIDDEN.has(errorNumber(thrown) ?? 0);
}

/** True if the database could not be reached; false if it refused the request. */
export function isConnectionError(thrown: unknown): boolean {
  const error = causeOf(thrown);
  if (CONNECTION_CODES.has(errorCode(error) ?? "") || CONNECTION_NUMBERS.has(errorNumber(error) ?? 0)) return true;
  if (!(error instanceof Error)) return false;
  // A Unix socket that does not exist or is closed to this user.
  if ("syscall" in error && error.syscall === "connect") return true;
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  if (error instanceof CommitInDoubtError) return true;
  if (error instanceof AcquireTimeoutError) return true;
  return /connection is in closed state|Can't write in closed state|Connection lost|packets out of order/i.test(
    error.message,
  );
}

/**
 * True if the connection is of no more use although it works. Its server takes no writes: after a failover or a
 * switchover the address may lead to another server, but an open connection stays with the one that it reached. Or it
 * lacks a permission: the server reads those on a database, and those on everything, when a connection begins, so a
 * later GRANT helps only new ones.
 */
export function isOutdated(thrown: unknown): boolean {
  return READ_ONLY.has(errorNumber(thrown) ?? 0) || isForbidden(thrown);
}

/** Turns a failed query or connection into an error for operators, without SQL text or hosts. */
export function toDatabaseError(thrown: unknown, store: string): AppError {
  const error = causeOf(thrown);
  if (isAppError(error)) return error;
  const wrap = (kind: ErrorCode, message: string) => new AppError(kind, message, { cause: error });
  const refusal = explainRefusal(error, store);
  if (refusal !== null) return wrap("unavailable", refusal);
  const own = missingOwnObject(error);
  if (own !== null)
    return wrap(
      "unavailable",
      `The console's own ${own} is not on the server of ${store}. \`${ourCommand("migrate")}\` creates it if it never existed; if it was dropped or renamed, rename it back or restore it from a backup.`,
    );
  const answer = answerOf(error, store);
  if (answer !== null) return wrap(...answer);
  if (error instanceof AcquireTimeoutError)
    return wrap("unavailable", `Every connection to the database of ${store} is busy. Try again in a moment.`);
  if (isConnectionError(error)) return wrap("unavailable", noAnswer(store, error, errorCode(error)));
  return wrap("internal", unknownError(error, store));
}

/** The table or database of ours that a statement did not find: no mapping of the user's tables is to blame. */
function missingOwnObject(error: unknown): string | null {
  const message = error instanceof Error ? error.message : "";
  const [, ofTable, table] = /^Table '([^'.]+)\.([^']+)' doesn't exist/.exec(message) ?? [];
  if (ofTable && table) return isOwnName(ofTable, table) ? `table ${ofTable}.${table}` : null;
  const database = /^Unknown database '([^']+)'/.exec(message)?.[1];
  return database && isOwnName(database) ? `database ${database}` : null;
}

/** For every other error. Shows its number only, because its text may contain data. */
function unknownError(error: unknown, store: string): string {
  const number = errorNumber(error);
  return number === undefined
    ? "Internal error."
    : `The database of ${store} answered with an error (${number}); the console's log has its words.`;
}

interface Answer {
  when: (number: number, error: unknown) => boolean;
  say: (store: string, error: unknown) => [ErrorCode, string];
}

const ANSWERS: Answer[] = [
  {
    when: (number) => number === 1049,
    say: (store) => ["unavailable", `A database that ${store} names does not exist on that server.`],
  },
  {
    when: (number) => FORBIDDEN.has(number),
    say: (store, error) => [
      "forbidden",
      `The database user of ${store} lacks the permission for this (${whatWasRefused(error)}). \`${ourCommand("doctor")}\` prints the GRANTs it needs.`,
    ],
  },
  {
    when: (number) => TIMED_OUT.has(number),
    say: (store) => [
      "query_timeout",
      `The database of ${store} took too long to answer; narrow the filter or add the recommended index.`,
    ],
  },
  {
    when: (number) => number === DEADLOCK,
    say: (store) => ["locked", `Another session changed the same rows in ${store} at the same time; try again.`],
  },
  {
    when: (number) => CONSTRAINTS.has(number),
    say: (store, error) => [
      "conflict",
      `The table of ${store} refuses this change (${constraintOf(error)}): nothing was changed.`,
    ],
  },
  {
    when: (number) => READ_ONLY.has(number),
    say: (store) => ["unavailable", `The database of ${store} accepts no writes: it is a replica or read-only.`],
  },
  {
    when: (number) => number === BINLOG_OF_STATEMENTS,
    say: (store) => [
      "unavailable",
      `The server of ${store} logs statements (binlog_format = STATEMENT), which cannot hold our changes. Set binlog_format = ROW or MIXED there.`,
    ],
  },
  {
    when: (number) => number === LOCK_WAIT_TIMEOUT || number === NOWAIT_LOCKED,
    say: (store) => ["locked", `Another session holds a lock on a row or on the whole table of ${store}; try again.`],
  },
  {
    when: (number) => MISSING.has(number),
    say: (store) => [
      "unavailable",
      `A table or column of ${store} no longer exists; the mapping is reread within a minute.`,
    ],
  },
  {
    when: (_, error) => hourlyLimitOf(error) !== null,
    say: (store, error) => [
      "unavailable",
      `The user of the database of ${store} has used up what it may do in an hour. Raise the limit there with ALTER USER … WITH ${hourlyLimitOf(error)} 0, which means none.`,
    ],
  },
  {
    when: (number) => NO_CONNECTION_LEFT.has(number),
    say: (store, error) => [
      "unavailable",
      errorNumber(error) === SERVER_FULL
        ? `The server of ${store} has no connection left (max_connections): SHOW PROCESSLIST there shows who holds them. \`${ourCommand("doctor")}\` says how many we need.`
        : `The database of ${store} has no connection left for this user. \`${ourCommand("doctor")}\` says how many are needed.`,
    ],
  },
];

const USER_LIMIT = 1226;
const HOURLY_LIMITS: Record<string, string> = {
  max_questions: "MAX_QUERIES_PER_HOUR",
  max_queries_per_hour: "MAX_QUERIES_PER_HOUR",
  max_updates: "MAX_UPDATES_PER_HOUR",
  max_updates_per_hour: "MAX_UPDATES_PER_HOUR",
  max_connections_per_hour: "MAX_CONNECTIONS_PER_HOUR",
};

/**
 * The option of the account whose limit is reached until the hour is over, as the server's error names it; null for any
 * other error.
 */
export function hourlyLimitOf(error: unknown): string | null {
  if (errorNumber(error) !== USER_LIMIT || !(error instanceof Error)) return null;
  return HOURLY_LIMITS[/exceeded the '(\w+)'/.exec(error.message)?.[1] ?? ""] ?? null;
}

function answerOf(error: unknown, store: string): [ErrorCode, string] | null {
  const number = errorNumber(error);
  const answer = number === undefined ? undefined : ANSWERS.find(({ when }) => when(number, error));
  return answer ? answer.say(store, error) : null;
}

/** Names that are safe to show; a trigger's text, and the value of a duplicate key, may be data and are left out. */
function constraintOf(error: unknown): string {
  const number = errorNumber(error);
  const message = error instanceof Error ? error.message : "";
  if (number === 1644) return "a trigger raised an error";
  if (GENERATED.includes(number ?? 0)) return "it computes a column that would have to be written";
  const named = /CONSTRAINT `([^`]+)`|[Cc]heck constraint '([^']+)'|for key '([^']+)'$/.exec(message);
  const name = named?.[1] ?? named?.[2] ?? named?.[3];
  if (name) return `${number === 1062 ? "key" : "constraint"} ${name}`;
  // The last match: a value printed before it may contain the same words.
  const column = /^.*(?:[Cc]olumn|Field) ['`](?:[^'`]*`\.`)*([^'`]+)['`]/s.exec(message)?.[1];
  return column ? `a value does not fit the column ${column}` : "a constraint, or no partition takes the row";
}

/** Names of the privilege and the object, without those of user and host. */
function whatWasRefused(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const command = /^([A-Z ,]+) command denied to user .* for (table|column|routine) ['`](.+)['`]/.exec(message);
  if (command) return `${command[1]} on ${command[2]} ${command[3]?.replaceAll("`", "")}`;
  const database = /to database '([^']+)'$/.exec(message)?.[1];
  if (database) return `access to database ${database}`;
  const privilege = /need \(at least one of\) the (.+) privilege/.exec(message)?.[1];
  return privilege ? `the privilege ${privilege}` : "access denied";
}
