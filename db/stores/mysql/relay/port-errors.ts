import type { OwnTableLock } from "#db/stores/shared/connection/own-table-locked.ts";
import { isOfThePort, wrapMethods } from "#db/stores/shared/relay/wrap-methods.ts";
import type { RelayTable } from "../../port/relay/relay-table.ts";
import { StoreError } from "../../port/store-error.ts";
import { TableChangedError } from "../../port/table-changed-error.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { explainRefusal } from "../connection/connection-refusal.ts";
import { errorNumber, isConnectionError, isLockTimeout } from "../connection/database-error.ts";

/**
 * The server's numbers for a table or column of the statement that is missing or of another kind: no such table, no
 * such column, no such database, not a table, an invalid view, a value that the column's type does not have.
 */
const SCHEMA_ERRORS = new Set([1146, 1054, 1049, 1347, 1356, 1265, 1366, 1288, 1471]);

/**
 * Stream methods whose statements name the table. A missing object in the others does not mean that the table changed.
 */
const OVER_THE_TABLE: readonly string[] = ["claim", "unsent", "park"];

/**
 * Methods that may have waited for a row of the outbox table, which a lock on rows of our own tables does not explain.
 */
const OVER_ROWS: readonly string[] = ["settle"];

export interface PortErrorsOptions {
  accepted: boolean;
  /** Another program's lock on our own tables, or also on their rows. */
  whoLocks: (what: { rows: boolean }) => Promise<OwnTableLock | null>;
}

/**
 * Wraps a relay table so that its methods throw the port's errors instead of the driver's. With `accepted`, a missing
 * or changed object throws TableChangedError: a retry would fail the same way until someone changes the table or
 * accepts it. A lock on our own tables is named.
 */
export function withPortErrors(table: RelayTable, { accepted, whoLocks }: PortErrorsOptions): RelayTable {
  const { outbox, stream } = table;
  const named = async (error: unknown, name: string, mayHaveChanged: boolean) => {
    const lock = isLockTimeout(error) ? await whoLocks({ rows: !OVER_ROWS.includes(name) }).catch(() => null) : null;
    return lock === null ? toRelayError(error, outbox, mayHaveChanged) : lockedOut(lock, error);
  };
  const worded = wrapMethods(table, (error, name) => named(error, name, accepted));
  if (!stream) return worded;
  const overTable = (name: string) => accepted && OVER_THE_TABLE.includes(name);
  return Object.assign(worded, {
    stream: wrapMethods(stream, (error, name) => named(error, name, overTable(name))),
  });
}

/** A lock on rows of the outbox table affects only these rows; one on our own tables stops the relay completely. */
function lockedOut({ clause, endStatement }: OwnTableLock, cause: unknown): StoreError {
  return new StoreError("refused", "unavailable", `lock wait timeout: ${clause} (${endStatement} ends it)`, { cause });
}

/** Keeps the driver's error if the relay need not distinguish it, and always the database's message. */
function toRelayError(error: unknown, outbox: string, accepted: boolean): unknown {
  if (!(error instanceof Error) || isOfThePort(error)) return error;
  if (accepted && SCHEMA_ERRORS.has(errorNumber(error) ?? 0)) return new TableChangedError(outbox, { cause: error });
  const refusal = explainRefusal(error, `outbox ${outbox}`);
  if (refusal !== null) return new StoreError("refused", "unavailable", refusal, { cause: error });
  if (error instanceof CommitInDoubtError)
    return new StoreError("commit_in_doubt", "unavailable", error.message, { cause: error });
  if (isConnectionError(error)) return new StoreError("unreachable", "unavailable", error.message, { cause: error });
  return isLockTimeout(error) ? new StoreError("locked", "locked", error.message, { cause: error }) : error;
}
