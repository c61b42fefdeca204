import { AppError } from "#domain/errors.ts";
import { LeaseLostError } from "../../port/relay/lease.ts";
import { type RelayStream, StreamError } from "../../port/relay/relay-stream.ts";
import type { RelayTable } from "../../port/relay/relay-table.ts";
import { StoreError } from "../../port/store-error.ts";
import { explainRefusal } from "../connection/connection-refusal.ts";
import { errorCode, isConnectionError } from "../connection/database-error.ts";
import { CommitDoubtError } from "../connection/sessions.ts";

/** Answer at once and ask nothing of the database. */
const SILENT: readonly string[] = ["compareOrder", "leaveOut", "listen", "positionOf"];

/** The relay's side of a table, whose methods throw the port's errors in place of the driver's. */
export function withPortErrors(table: RelayTable): RelayTable {
  const worded = wrapEach(table, (error) => toRelayError(error, table.outbox));
  const { stream } = table;
  return stream ? Object.assign(worded, { stream: wrapStream(stream, table.outbox) }) : worded;
}

function wrapStream(stream: RelayStream, outbox: string): RelayStream {
  return wrapEach(stream, (error) => toRelayError(error, outbox));
}

const OF_THE_PORT = [AppError, LeaseLostError, StreamError];

type Method = (...args: unknown[]) => Promise<unknown>;

/** Getters stay getters. */
function wrapEach<Wrapped extends object>(object: Wrapped, toPort: (error: unknown) => unknown): Wrapped {
  const wrapped = Object.defineProperties({}, Object.getOwnPropertyDescriptors(object)) as Record<string, unknown>;
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
    if (typeof value !== "function" || SILENT.includes(name)) continue;
    wrapped[name] = (...args: unknown[]) =>
      (value as Method)(...args).catch((error: unknown) => {
        throw toPort(error);
      });
  }
  return wrapped as Wrapped;
}

/** What the relay need not tell apart stays the driver's error. The message stays what the database said. */
function toRelayError(error: unknown, outbox: string): unknown {
  if (!(error instanceof Error) || OF_THE_PORT.some((kind) => error instanceof kind)) return error;
  const refusal = explainRefusal(error, `outbox ${outbox}`);
  if (refusal !== null) return new StoreError("refused", "unavailable", refusal, { cause: error });
  if (error instanceof CommitDoubtError)
    return new StoreError("commit_in_doubt", "unavailable", error.message, { cause: error });
  if (isConnectionError(error)) return new StoreError("unreachable", "unavailable", error.message, { cause: error });
  return errorCode(error) === "55P03" ? new StoreError("locked", "locked", error.message, { cause: error }) : error;
}
