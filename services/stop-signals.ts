import { constants } from "node:os";

/** A requested stop ends within this time, even during outages; see docs/operating.md. */
const STOP_WITHIN_MS = 10_000;

/** npm forwards a Ctrl-C that the terminal has also sent: two signals within this time count as one. */
const SAME_WISH_MS = 500;

interface Log {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface StopSignals {
  /** Aborted by the first SIGTERM or SIGINT. */
  readonly signal: AbortSignal;
  /** Resolves at the first signal; until then the process stays alive. */
  readonly asked: Promise<void>;
  /** Call it when everything has ended: logs unfinished work and exits, with code 1 if there is any. */
  finish(): never;
}

/**
 * Registers the signal handlers. The first SIGTERM or SIGINT requests a graceful stop and starts the deadline; the
 * second ends the process at once with the exit code customary for its signal.
 */
export function listenForStop({ log, leftUndone }: { log: Log; leftUndone: () => string[] }): StopSignals {
  const stopping = new AbortController();
  // Keeps the process alive: a pending promise does not, and relays may be idle.
  const alive = setInterval(() => undefined, 60_000);
  let askedAtMs = 0;
  const finish = (code: number, how: string): never => {
    const undone = leftUndone();
    if (code === 0 && undone.length === 0) log.info({}, how);
    else log.error({ undone }, undone.length === 0 ? how : `${how}; left undone: ${undone.join("; ")}`);
    process.exit(code === 0 && undone.length > 0 ? 1 : code);
  };
  const onSignal = (name: "SIGINT" | "SIGTERM") => {
    if (stopping.signal.aborted) {
      if (performance.now() - askedAtMs > SAME_WISH_MS)
        finish(128 + constants.signals[name], `ended at once by ${name}`);
      return;
    }
    askedAtMs = performance.now();
    log.info({ signal: name, withinMs: STOP_WITHIN_MS }, "stopping");
    setTimeout(() => finish(1, `not stopped within ${STOP_WITHIN_MS / 1000} s`), STOP_WITHIN_MS);
    stopping.abort();
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => onSignal(name));
  const asked = new Promise<void>((resolve) => {
    stopping.signal.addEventListener("abort", () => {
      clearInterval(alive);
      resolve();
    });
  });
  return { signal: stopping.signal, asked, finish: () => finish(0, "stopped") };
}
