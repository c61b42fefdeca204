import { type Operation, operationSchema } from "#contracts/message/operations.ts";
import type { StoredOperation } from "#db/stores/port/operations.ts";
import { toAppError } from "#domain/errors.ts";
import { processState } from "../process-state.ts";
import type { StoreHandle } from "../runtime.ts";
import { finishRecord, withChanges } from "./operation-record.ts";

/**
 * Age after which an operation of another process is over: it starts no message after one minute, and each takes
 * seconds.
 */
const OVER_AFTER_SECONDS = 180;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** After this, a later query for the operation completes it. */
const GIVE_UP_MS = 3600_000;

/** Operations of this process: running ones, and those cut short by a lost connection, with their outcomes so far. */
const state = () =>
  processState("operations", () => ({ running: new Set<string>(), cut: new Map<string, Operation>() }));

/** Marks an operation as running here until `work` is over. */
export async function whileRunning<T>(id: string, work: () => Promise<T>): Promise<T> {
  const { running } = state();
  running.add(id);
  try {
    return await work();
  } finally {
    running.delete(id);
  }
}

/**
 * The current record of an operation: completed from the audit if nothing runs it any more, otherwise with the outcomes
 * certain so far. Null if it was cut short by a version of this program that did not record its targets.
 */
export async function readRecord(store: StoreHandle, stored: StoredOperation): Promise<Operation | null> {
  if (!stored.result) return null;
  const record = operationSchema.parse(stored.result);
  if (record.finished) return record;
  const { running, cut } = state();
  const mine = cut.get(record.id);
  if (mine || (!running.has(record.id) && stored.ageSeconds > OVER_AFTER_SECONDS)) {
    const settled = await settle(store, mine ?? record).catch((error: unknown) => {
      const { code } = toAppError(error);
      // Its last commit is still in progress, or claims hold the lock: answer with what is certain.
      if (code === "locked") return null;
      throw error;
    });
    if (settled) return settled;
  }
  return withChanges(mine ?? record, await store.records.changesOf(record.id));
}

/** Completes the record of an interrupted operation as soon as its database answers again. */
export function finishLater(store: StoreHandle, known: Operation): void {
  const { cut } = state();
  cut.set(known.id, known);
  const startedAt = performance.now();
  const tryAgain = (delayMs: number) => {
    setTimeout(async () => {
      if (!state().cut.has(known.id)) return;
      try {
        if (!(await store.records.operation(known.id, { fresh: true }))) cut.delete(known.id);
        else await settle(store, known);
      } catch (error) {
        const { code } = toAppError(error);
        const mayPass = code !== "internal" && performance.now() - startedAt < GIVE_UP_MS;
        if (mayPass) tryAgain(Math.min(delayMs * 2, LONGEST_RETRY_MS));
      }
    }, delayMs).unref();
  };
  tryAgain(FIRST_RETRY_MS);
}

async function settle(store: StoreHandle, known: Operation): Promise<Operation | null> {
  let finished: Operation | null = null;
  await store.records.settleOperation({
    id: known.id,
    outbox: known.outbox,
    finish: (changes) => {
      finished = finishRecord(known, changes);
      return finished;
    },
  });
  state().cut.delete(known.id);
  return finished;
}
