import type { Snapshot } from "#contracts/snapshot.ts";
import { AppError, isAppError } from "#domain/errors.ts";
import type { Runtime } from "../runtime.ts";

const kept = new WeakMap<Runtime, Map<string, Snapshot>>();

/** Keeps the newest snapshot of each outbox for as long as the process lives. */
export function keepSnapshot(runtime: Runtime, snapshot: Snapshot): Snapshot {
  const snapshots = kept.get(runtime) ?? new Map<string, Snapshot>();
  kept.set(runtime, snapshots.set(snapshot.outbox, snapshot));
  return snapshot;
}

/** Adds the last snapshot of an outbox to the error that says why there is no new one: `details.lastSnapshot`. */
export function withLastSnapshot(runtime: Runtime, outbox: string, error: unknown): unknown {
  const lastSnapshot = kept.get(runtime)?.get(outbox);
  if (!lastSnapshot || !isAppError(error) || !["unavailable", "query_timeout"].includes(error.code)) return error;
  return new AppError(error.code, error.message, { cause: error.cause, details: { ...error.details, lastSnapshot } });
}
