import { constants } from "node:os";

/** A stop that was asked for ends within this time whatever is broken; docs/operating.md says so. */
export const STOP_WITHIN_MS = 10_000;

/** npm passes on a Ctrl-C that the terminal has sent as well: two signals within this time are one wish. */
const SAME_WISH_MS = 500;

interface Log {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface StopSignals {
  /** Aborted by the first SIGTERM or SIGINT. */
  readonly signal: AbortSignal;
  /** Resolves at the first; until then the process stays alive. */
  readonly asked: Promise<void>;
  /** Everything has ended that can: says what was left undone and ends the process, with code 1 when there is something. */
  finish(): never;
}

/**
 * The first SIGTERM or SIGINT asks for a graceful stop and winds up the deadline, from the first moment of the process on;
 * the second ends the process at once, with the code that is customary for its signal.
 */
export function listenForStop({ log, leftUndone }: { log: Log; leftUndone: () => string[] }): StopSignals {
  const stopping = new AbortController();
  // A pending promise keeps no process alive, and relays may have nothing to do.
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
    setTimeout(() => finish(1, `not stopped in order within ${STOP_WITHIN_MS / 1000} s`), STOP_WITHIN_MS);
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
