import { eventLoopLooked } from "../shared-link.ts";

export interface Interrupt {
  signals: readonly AbortSignal[];
  timeoutMs: number;
}

export type Awaited<T> =
  | { kind: "value"; value: T }
  | { kind: "error"; error: unknown }
  | { kind: "aborted" }
  | { kind: "late" };

/** Waits at most the given time for a reply. A later reply or error is ignored. */
export function untilInterrupted<T>(answer: Promise<T>, { signals, timeoutMs }: Interrupt): Promise<Awaited<T>> {
  return new Promise((resolve) => {
    if (signals.some((signal) => signal.aborted)) {
      answer.catch(() => undefined);
      return resolve({ kind: "aborted" });
    }
    const done = (outcome: Awaited<T>) => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", aborted);
      resolve(outcome);
    };
    const aborted = () => done({ kind: "aborted" });
    const late = () => done({ kind: "late" });
    const timer = setTimeout(() => void eventLoopLooked().then(late), timeoutMs);
    for (const signal of signals) signal.addEventListener("abort", aborted);
    answer.then(
      (value) => done({ kind: "value", value }),
      (error: unknown) => done({ kind: "error", error }),
    );
  });
}
