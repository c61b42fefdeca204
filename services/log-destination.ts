import { writeSync } from "node:fs";
import { asText, wantsText } from "./log-format.ts";

/** Longest wait of a line for a slow reader. */
const PATIENCE_MS = 1_000;
const PAUSE_MS = 5;

export interface LogDestination {
  write(line: string): void;
}

/**
 * Writes log lines to standard output (1) or standard error (2), synchronously. A line that cannot be written, because
 * the disk is full or the reader is gone, is dropped; the next one that can be written is preceded by the number
 * dropped. A log must never end its process.
 */
export function logDestination(fd: number): LogDestination {
  const format = wantsText() ? asText : (line: string) => line;
  let dropped = 0;
  let reason = "";
  return {
    write(line) {
      try {
        // The line before may have been cut.
        if (dropped > 0) writeWhole(fd, `\n${format(noteOf(dropped, reason))}`);
        dropped = 0;
        writeWhole(fd, format(line));
      } catch (error) {
        dropped += 1;
        reason = (error as NodeJS.ErrnoException).code ?? String(error);
      }
    },
  };
}

function noteOf(dropped: number, reason: string): string {
  const msg = `${dropped} log ${dropped === 1 ? "line was" : "lines were"} dropped: the log could not be written (${reason})`;
  return `${JSON.stringify({ level: 40, time: Date.now(), name: "log", msg })}\n`;
}

function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  const deadline = performance.now() + PATIENCE_MS;
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += writeSync(fd, bytes, offset);
    } catch (error) {
      // EAGAIN: the pipe was set to non-blocking and its reader is behind.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
