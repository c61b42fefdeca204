import { writeSync } from "node:fs";

/** How long a line may wait for a reader that is behind. */
const PATIENCE_MS = 1_000;
const PAUSE_MS = 5;

export interface LogDestination {
  write(line: string): void;
}

/**
 * Where log lines go: standard output (1) or standard error (2), at once. A line that cannot be written, because the disk is
 * full or the reader is gone, is dropped, and the first that can be written again is preceded by how many were: a log must
 * never end the process that it speaks of.
 */
export function logDestination(fd: number): LogDestination {
  let dropped = 0;
  let reason = "";
  return {
    write(line) {
      try {
        if (dropped > 0) writeWhole(fd, noteOf(dropped, reason));
        dropped = 0;
        writeWhole(fd, line);
      } catch (error) {
        dropped += 1;
        reason = (error as NodeJS.ErrnoException).code ?? String(error);
      }
    },
  };
}

function noteOf(dropped: number, reason: string): string {
  const msg = `${dropped} log ${dropped === 1 ? "line was" : "lines were"} dropped: the log could not be written (${reason})`;
  // What came before may have been cut in the middle of its line.
  return `\n${JSON.stringify({ level: 40, time: Date.now(), name: "log", msg })}\n`;
}

function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  const deadline = performance.now() + PATIENCE_MS;
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += writeSync(fd, bytes, offset);
    } catch (error) {
      // A pipe that somebody set to non-blocking, with a reader that is behind.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
