/** Postgres' no_active_sql_transaction; MySQL's "SAVEPOINT does not exist". */
export function saysNoTransaction(error: unknown): boolean {
  return causesOf(error).some(({ code, errno }) => code === "25P01" || errno === 1305);
}

export function isDuplicateKey(error: unknown): boolean {
  return causesOf(error).some(({ code, errno }) => code === "23505" || errno === 1062);
}

/** A value for its column. */
export function isTooLong(error: unknown): boolean {
  return causesOf(error).some(({ code, errno }) => code === "22001" || errno === 1406);
}

/** The column's or the database's character set. MySQL has the number for other values that do not fit, too. */
export function lacksCharacter(error: unknown): boolean {
  return causesOf(error).some(({ code, errno }) => code === "22P05" || errno === 1366);
}

/** MySQL's: the statement, or the transaction that it was part of, was rolled back whole. */
export function isDeadlock(error: unknown): boolean {
  return causesOf(error).some(({ errno }) => errno === 1213);
}

/**
 * Serialization failures, deadlocks, lock timeouts and lost connections. They are not the fault of the work, which may
 * succeed at the next try.
 */
export function isTransient(error: unknown): boolean {
  return causesOf(error).some(({ code, errno }) => CONTENTION.has(code) || CONTENTION.has(errno)) || isOutage(error);
}

/**
 * A connection that was lost or could not be made, not necessarily to the database: a service that does not answer
 * causes the same errors.
 */
export function isOutage(error: unknown): boolean {
  return causesOf(error).some(
    ({ code, errno, message, name }) =>
      OUTAGE.has(code) ||
      OUTAGE.has(errno) ||
      (typeof code === "string" && LOST.test(code)) ||
      name === "QueryRunnerAlreadyReleasedError" ||
      (code === undefined && typeof message === "string" && LOST_BY_MESSAGE.test(message)),
  );
}

/** Postgres' transaction_rollback. */
export const ROLLED_BACK = "40000";

/** Codes of Postgres, MySQL's numbers, and Prisma's names for the same. */
const CONTENTION: ReadonlySet<unknown> = new Set([ROLLED_BACK, "40001", "40P01", "55P03", 1205, 1213, "P2034"]);
const OUTAGE: ReadonlySet<unknown> = new Set([
  ...["57P01", "57P02", "57P03", "53300", 1040],
  // MariaDB's driver, which Prisma uses for MySQL as well.
  ...[45001, 45004, 45009, 45012, 45013, 45019, 45026],
  ...["P1001", "P1002", "P1008", "P1017", "P2024"],
]);
/** Connections: Postgres' class 08, Node's errors, mysql2's and postgres.js' names. */
const LOST = /^(?:08\d{3}|E(?:CONN|PIPE|TIMEDOUT|HOSTUNREACH).*|PROTOCOL_CONNECTION_LOST|CONNECT(?:ION)?_[A-Z]+)$/;
/** Messages of pg and mysql2 for errors without a code; Knex puts the statement in front. */
const LOST_BY_MESSAGE =
  /Connection terminated(?: unexpectedly| due to connection timeout)?$|is not queryable$|Can't add new command when connection is in closed state$/;

export interface DatabaseError {
  code?: unknown;
  errno?: unknown;
  message?: unknown;
  /** mysql2's words alone, where an ORM puts the statement before `message`. */
  sqlMessage?: unknown;
  /** TypeORM gives up a runner whose connection ended. */
  name?: unknown;
}

/** An error and the errors that it wraps, under the names that drivers and ORMs use. */
export function causesOf(error: unknown): DatabaseError[] {
  const causes: DatabaseError[] = [];
  const waiting: unknown[] = [error];
  while (waiting.length > 0 && causes.length < 10) {
    const one = waiting.shift();
    if (typeof one !== "object" || one === null || causes.includes(one)) continue;
    causes.push(one);
    const found = one as Record<string, unknown>;
    waiting.push(found.cause, found.original, found.parent, found.driverError, found.meta, found.driverAdapterError);
    // Prisma's name for the database's code, or of MySQL its number.
    const { originalCode: code, originalMessage: message } = found;
    if (typeof code === "string") causes.push({ code, errno: Number(code), message });
  }
  return causes;
}
