import type { LogLine } from "./read-log-line.ts";

const WINDOW_MS = 10_000;
const LINES_PER_WINDOW = 5;
const LONGEST_TEXT = 200;

/** Prints a child's warnings and errors as short lines, rate limited. */
export class Terminal {
  readonly #verbose: boolean;
  readonly #windows = new Map<string, { startedAt: number; shown: number; hidden: number }>();

  constructor({ verbose }: { verbose: boolean }) {
    this.#verbose = verbose;
  }

  say(sentence: string): void {
    console.log(sentence);
  }

  showLine(name: string, line: LogLine, logPath: string): void {
    if (this.#verbose) {
      this.#print(name, line, line.text);
      return;
    }
    if (line.level === "info" || line.text.trim() === "") return;
    const window = this.#windowOf(name, logPath);
    if (window.shown >= LINES_PER_WINDOW) {
      window.hidden += 1;
      return;
    }
    window.shown += 1;
    this.#print(name, line, line.text.slice(0, LONGEST_TEXT));
  }

  #windowOf(name: string, logPath: string) {
    const now = Date.now();
    const window = this.#windows.get(name);
    if (window !== undefined && now - window.startedAt < WINDOW_MS) return window;
    if (window !== undefined && window.hidden > 0) this.say(`  [${name}] ${window.hidden} more lines in ${logPath}`);
    const fresh = { startedAt: now, shown: 0, hidden: 0 };
    this.#windows.set(name, fresh);
    return fresh;
  }

  #print(name: string, { level }: LogLine, text: string): void {
    this.say(`  [${name}] ${level === "info" ? "" : `${level}: `}${text}`);
  }
}
