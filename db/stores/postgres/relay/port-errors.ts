import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { isOfThePort, wrapMethods } from "#db/stores/shared/relay/wrap-methods.ts";
import type { RelayTable } from "../../port/relay/relay-table.ts";
import { StoreError } from "../../port/store-error.ts";
import { TableChangedError } from "../../port/table-changed-error.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { explainRefusal } from "../connection/connection-refusal.ts";
import { isConnectionError, isSchemaError } from "../connection/database-error.ts";

/**
 * Stream methods whose statements name the table; the others name a slot or a publication, so their errors are no
 * changed table.
 */
const OVER_THE_TABLE: readonly string[] = ["claim", "unsent", "park"];

/**
 * Wraps a relay table so that its methods throw the port's errors instead of the driver's. With `accepted`, a missing
 * or changed object throws TableChangedError: a retry would fail the same way until someone changes the table or
 * accepts it.
 */
export function withPortErrors(table: RelayTable, { accepted = false } = {}): RelayTable {
  const { outbox, stream } = table;
  const worded = wrapMethods(table, (error) => toRelayError(error, outbox, accepted));
  if (!stream) return worded;
  const overTable = (name: string) => accepted && OVER_THE_TABLE.includes(name);
  return Object.assign(worded, {
    stream: wrapMethods(stream, (error, name) => toRelayError(error, outbox, overTable(name))),
  });
}

/** The driver's words of a connection that was lost before the statement. */
const NOT_QUERYABLE = /^Client has encountered a connection error and is not queryable$/;
const LOST = "the connection was lost";

/** Keeps the driver's error if the relay need not distinguish it, and always the database's message. */
function toRelayError(error: unknown, outbox: string, overTable: boolean): unknown {
  if (!(error instanceof Error) || isOfThePort(error)) return error;
  if (overTable && isSchemaError(error)) return new TableChangedError(outbox, { cause: error });
  const refusal = explainRefusal(error, `outbox ${outbox}`);
  if (refusal !== null) return new StoreError("refused", "unavailable", refusal, { cause: error });
  if (error instanceof CommitInDoubtError)
    return new StoreError("commit_in_doubt", "unavailable", error.message, { cause: error });
  if (isConnectionError(error))
    return new StoreError("unreachable", "unavailable", error.message.replace(NOT_QUERYABLE, LOST), { cause: error });
  return errorCode(error) === "55P03" ? new StoreError("locked", "locked", error.message, { cause: error }) : error;
}
