import { createWriteStream } from "node:fs";
import { join } from "node:path";

/** Something that was done to the system, from when until when, ms since the run began. */
export interface Fault {
  kind: string;
  /** The relay that it concerned; null for what concerned all. */
  slot: number | null;
  fromMs: number;
  toMs: number;
}

export interface EventLog {
  /** Milliseconds since the run began, on the clock that every record of the run uses. */
  nowMs(): number;
  /** The same instant on the wall clock, as brokers tell it. */
  fromWallMs(wallMs: number): number;
  note(event: string, detail?: Record<string, unknown>): void;
  /** Notes a fault as it begins, or `agoMs` after; the function that it returns ends it. */
  begin(kind: string, slot?: number | null, agoMs?: number): () => void;
  faults: readonly Fault[];
  /** All written; the file stays. */
  close(): Promise<void>;
}

/** Everything that happened, as lines of JSON in `events.jsonl`. */
export function openEventLog(folder: string): EventLog {
  const beganMs = performance.now();
  const beganWallMs = Date.now();
  const file = createWriteStream(join(folder, "events.jsonl"));
  const faults: Fault[] = [];
  const nowMs = () => performance.now() - beganMs;
  const note: EventLog["note"] = (event, detail = {}) => {
    // A relay that is killed at the end may be noticed after it.
    if (file.writableEnded) return;
    file.write(`${JSON.stringify({ atMs: Math.round(nowMs()), event, ...detail })}\n`);
  };
  return {
    nowMs,
    fromWallMs: (wallMs) => wallMs - beganWallMs,
    note,
    begin: (kind, slot = null, agoMs = 0) => {
      const fault: Fault = { kind, slot, fromMs: nowMs() - agoMs, toMs: Number.POSITIVE_INFINITY };
      faults.push(fault);
      note("fault", { kind, slot });
      return () => {
        fault.toMs = nowMs();
        note("over", { kind, slot, lastedMs: Math.round(fault.toMs - fault.fromMs) });
      };
    },
    faults,
    close: () => new Promise((resolve) => file.end(() => resolve())),
  };
}
