import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const LARGEST_BYTES = 10 * 1024 * 1024;

/** A log that keeps at most 10 MB, and as much again of what came before in `<name>.1`. */
export class LogFile {
  readonly path: string;
  #descriptor: number;
  #bytes: number;

  constructor(path: string) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.#descriptor = openSync(path, "a", 0o600);
    this.#bytes = statSync(path).size;
  }

  write(line: string): void {
    if (this.#bytes > LARGEST_BYTES) this.#rotate();
    this.#bytes += writeSync(this.#descriptor, `${line}\n`);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #rotate(): void {
    closeSync(this.#descriptor);
    renameSync(this.path, `${this.path}.1`);
    this.#descriptor = openSync(this.path, "a", 0o600);
    this.#bytes = 0;
  }
}
