import { createWriteStream } from "node:fs";
import { join } from "node:path";

/** Something done to the system, with its start and end in ms since the run began. */
export interface Fault {
  kind: string;
  /** The affected relay's slot; null if all were affected. */
  slot: number | null;
  fromMs: number;
  toMs: number;
}

export interface EventLog {
  /** Milliseconds since the run began; every record of the run uses this clock. */
  nowMs(): number;
  /** Converts a wall-clock time, as brokers report it, to milliseconds since the run began. */
  fromWallMs(wallMs: number): number;
  note(event: string, detail?: Record<string, unknown>): void;
  /** Records the start of a fault, optionally `agoMs` in the past; the returned function records its end. */
  begin(kind: string, slot?: number | null, agoMs?: number): () => void;
  faults: readonly Fault[];
  /** Flushes and closes the file, which stays. */
  close(): Promise<void>;
}

/** Records all events of a run as lines of JSON in `events.jsonl`. */
export function openEventLog(folder: string): EventLog {
  const beganMs = performance.now();
  const beganWallMs = Date.now();
  const file = createWriteStream(join(folder, "events.jsonl"));
  const faults: Fault[] = [];
  const nowMs = () => performance.now() - beganMs;
  const note: EventLog["note"] = (event, detail = {}) => {
    // The death of a relay that was killed at the end may be noticed after this.
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
