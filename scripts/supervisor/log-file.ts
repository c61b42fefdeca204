import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const LARGEST_BYTES = 10 * 1024 * 1024;
/** Minimum time between attempts to open the file, ms. */
const OPEN_AGAIN_MS = 1_000;
const SAY_AGAIN_MS = 60_000;

/**
 * A log of at most 10 MB, with up to 10 MB of earlier lines in `<name>.1`. Lines that cannot be written, as on a full
 * disk, are dropped: `onTrouble` is called for the first, and the log states their number once it is writable again.
 */
export class LogFile {
  readonly path: string;
  readonly #onTrouble: (sentence: string) => void;
  #descriptor: number | null = null;
  #bytes = 0;
  #dropped = 0;
  #openedAtMs = Number.NEGATIVE_INFINITY;
  #saidAtMs = Number.NEGATIVE_INFINITY;

  constructor(path: string, onTrouble: (sentence: string) => void = () => undefined) {
    this.path = path;
    this.#onTrouble = onTrouble;
  }

  write(line: string): void {
    try {
      const descriptor = this.#open();
      if (descriptor === null) {
        this.#dropped += 1;
        return;
      }
      if (this.#dropped > 0)
        this.#append(descriptor, `\n${this.#dropped} lines dropped: the log could not be written\n`);
      this.#dropped = 0;
      this.#append(descriptor, `${line}\n`);
    } catch (error) {
      this.#drop(error);
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #append(descriptor: number, text: string): void {
    const bytes = Buffer.from(text);
    const written = writeSync(descriptor, bytes);
    this.#bytes += written;
    if (written < bytes.length) writeSync(descriptor, bytes, written);
  }

  /** The file to write to, or null while it is too soon to try again. */
  #open(): number | null {
    if (this.#descriptor !== null && this.#bytes > LARGEST_BYTES) {
      this.close();
      renameSync(this.path, `${this.path}.1`);
    }
    if (this.#descriptor !== null) return this.#descriptor;
    const nowMs = performance.now();
    if (this.#dropped > 0 && nowMs - this.#openedAtMs < OPEN_AGAIN_MS) return null;
    this.#openedAtMs = nowMs;
    mkdirSync(dirname(this.path), { recursive: true });
    this.#descriptor = openSync(this.path, "a", 0o600);
    this.#bytes = fstatSync(this.#descriptor).size;
    return this.#descriptor;
  }

  #drop(error: unknown): void {
    this.#dropped += 1;
    const nowMs = performance.now();
    if (this.#dropped > 1 || nowMs - this.#saidAtMs < SAY_AGAIN_MS) return;
    this.#saidAtMs = nowMs;
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const why = code === "ENOSPC" || code === "EDQUOT" ? "the disk is full" : code;
    this.#onTrouble(
      `  ${this.path} cannot be written (${why}): its lines are dropped until it can. Everything else goes on.`,
    );
  }
}
