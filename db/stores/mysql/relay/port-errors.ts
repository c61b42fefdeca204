import { AppError } from "#domain/errors.ts";
import { LeaseLostError } from "../../port/relay/lease.ts";
import type { RelayTable } from "../../port/relay/relay-table.ts";
import { StoreError } from "../../port/store-error.ts";
import { TableChangedError } from "../../port/table-changed-error.ts";
import { explainRefusal } from "../connection/connection-refusal.ts";
import { errorNumber, isConnectionError, isLockTimeout } from "../connection/database-error.ts";
import { CommitDoubtError } from "../connection/sessions.ts";

/** Synchronous methods, which throw no database errors. */
const SILENT: readonly string[] = ["compareOrder", "leaveOut", "listen"];

/**
 * The server's numbers for a table or column of the statement that is missing or of another kind: no such table, no
 * such column, no such database, not a table, an invalid view, a value that the column's type does not have.
 */
const SCHEMA_ERRORS = new Set([1146, 1054, 1049, 1347, 1356, 1265, 1366, 1288, 1471]);

/**
 * Wraps a relay table so that its methods throw the port's errors instead of the driver's. With `accepted`, a missing
 * or changed object throws TableChangedError: a retry would fail the same way until someone changes the table or
 * accepts it. Getters stay getters.
 */
export function withPortErrors(table: RelayTable, { accepted = false } = {}): RelayTable {
  const properties = Object.getOwnPropertyDescriptors(table);
  const wrapped = Object.defineProperties({}, properties) as unknown as Record<string, unknown>;
  for (const [name, { value }] of Object.entries(properties) as [string, PropertyDescriptor][]) {
    if (typeof value !== "function" || SILENT.includes(name)) continue;
    wrapped[name] = (...args: unknown[]) =>
      (value as Method)(...args).catch((error: unknown) => {
        throw toRelayError(error, table.outbox, accepted);
      });
  }
  return wrapped as unknown as RelayTable;
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** Keeps the driver's error if the relay need not distinguish it, and always the database's message. */
function toRelayError(error: unknown, outbox: string, accepted: boolean): unknown {
  if (!(error instanceof Error) || error instanceof AppError || error instanceof LeaseLostError) return error;
  if (accepted && SCHEMA_ERRORS.has(errorNumber(error) ?? 0)) return new TableChangedError(outbox, { cause: error });
  const refusal = explainRefusal(error, `outbox ${outbox}`);
  if (refusal !== null) return new StoreError("refused", "unavailable", refusal, { cause: error });
  if (error instanceof CommitDoubtError)
    return new StoreError("commit_in_doubt", "unavailable", error.message, { cause: error });
  if (isConnectionError(error)) return new StoreError("unreachable", "unavailable", error.message, { cause: error });
  return isLockTimeout(error) ? new StoreError("locked", "locked", error.message, { cause: error }) : error;
}
