/** Postgres' no_active_sql_transaction; MySQL's "SAVEPOINT does not exist". */
export function saysNoTransaction(error: unknown): boolean {
  return causesOf(error).some(({ code, errno }) => code === "25P01" || errno === 1305);
}

export function isDuplicateKey(error: unknown): boolean {
  return causesOf(error).some(({ code, errno }) => code === "23505" || errno === 1062);
}

/** Serialization failure, deadlock, lock timeout: the same work may succeed at the next try. */
export function isTransient(error: unknown): boolean {
  const codes: unknown[] = ["40001", "40P01", "55P03", "57P01", "57P02", "57P03", 1205, 1213];
  return causesOf(error).some(({ code, errno }) => codes.includes(code) || codes.includes(errno) || isCut(code));
}

/** The connection was lost: the database says nothing of the work. */
function isCut(code: unknown): boolean {
  return typeof code === "string" && (/^08\d{3}$/.test(code) || /^E(?:CONN|PIPE|TIMEDOUT|HOSTUNREACH)/.test(code));
}

interface DatabaseError {
  code?: unknown;
  errno?: unknown;
}

/** An error and the errors that it wraps, under the names that drivers and ORMs use. */
function causesOf(error: unknown): DatabaseError[] {
  const causes: object[] = [];
  const waiting: unknown[] = [error];
  while (waiting.length > 0 && causes.length < 10) {
    const one = waiting.shift();
    if (typeof one !== "object" || one === null || causes.includes(one)) continue;
    causes.push(one);
    const found = one as Record<string, unknown>;
    waiting.push(found.cause, found.original, found.parent, found.driverError, found.meta, found.driverAdapterError);
    // Prisma's name for the database's code.
    if (typeof found.originalCode === "string") causes.push({ code: found.originalCode });
  }
  return causes;
}
