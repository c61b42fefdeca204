import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import { AppError, isAppError } from "#domain/errors.ts";
import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";

const snapshotsOf = perRuntime(() => new Map<string, Snapshot>());

/** Keeps the newest snapshot of each outbox for the life of the process. */
export function keepSnapshot(runtime: Runtime, snapshot: Snapshot): Snapshot {
  snapshotsOf(runtime).set(snapshot.outbox, snapshot);
  return snapshot;
}

/** Adds the last snapshot of an outbox, `details.lastSnapshot`, to the error that explains why there is no new one. */
export function withLastSnapshot(runtime: Runtime, outbox: string, error: unknown): unknown {
  const lastSnapshot = snapshotsOf(runtime).get(outbox);
  if (!lastSnapshot || !isAppError(error) || !["unavailable", "query_timeout"].includes(error.code)) return error;
  return new AppError(error.code, error.message, { cause: error.cause, details: { ...error.details, lastSnapshot } });
}
