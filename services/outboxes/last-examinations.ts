import { AppError, isAppError } from "#domain/errors.ts";
import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";
import type { Examination } from "./examination.ts";

export interface KeptExamination {
  examination: Examination;
  /** When its figures had been read. */
  readAtMs: number;
}

const keptOf = perRuntime(() => new Map<string, KeptExamination>());

/** Keeps the newest examination of each outbox for the life of the process. */
export function keepExamination(runtime: Runtime, examination: Examination, readAtMs: number): Examination {
  keptOf(runtime).set(examination.snapshot.outbox, { examination, readAtMs });
  return examination;
}

export function lastExamination(runtime: Runtime, outbox: string): KeptExamination | undefined {
  return keptOf(runtime).get(outbox);
}

/** Adds the last snapshot of an outbox, `details.lastSnapshot`, to the error that explains why there is no new one. */
export function withLastSnapshot(runtime: Runtime, outbox: string, error: unknown): unknown {
  const lastSnapshot = lastExamination(runtime, outbox)?.examination.snapshot;
  if (!lastSnapshot || !isAppError(error) || !["unavailable", "query_timeout"].includes(error.code)) return error;
  return new AppError(error.code, error.message, { cause: error.cause, details: { ...error.details, lastSnapshot } });
}
