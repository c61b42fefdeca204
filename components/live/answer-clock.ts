import { ApiError } from "#components/api/api-error.ts";

/** The page reports silence within this time of the last answer, ms. */
const SILENT_AFTER_MS = 3_000;
/** A request needs at least this long to count as unanswered, ms. */
const LEAST_WAIT_MS = 900;
/** A timer that fires this much too late was held up by the page itself, ms: an answer may wait behind it. */
const HELD_UP_MS = 200;
/** Requests that are always slow get a multiple of their usual time. */
const USUAL_TIMES = 2;

interface Waiting {
  startedMs: number;
  timer: ReturnType<typeof setTimeout>;
}

/**
 * Notices unanswered requests long before they time out: a hanging database does not even refuse. Silence lasts until
 * an answer arrives, however often the request is repeated.
 */
export class AnswerClock {
  readonly #waiting = new Map<string, Waiting>();
  readonly #usualMs = new Map<string, number>();
  readonly #onSilence: (query: string, error: Error) => void;

  constructor(onSilence: (query: string, error: Error) => void) {
    this.#onSilence = onSilence;
  }

  /** @param answeredMs browser time of the last answer; 0 if there was none */
  start(query: string, answeredMs: number): void {
    this.#cancel(query);
    const startedMs = Date.now();
    const waitMs = Math.max(
      SILENT_AFTER_MS - sinceAnswer(startedMs, answeredMs),
      LEAST_WAIT_MS,
      (this.#usualMs.get(query) ?? 0) * USUAL_TIMES,
    );
    this.#wait(query, startedMs, startedMs + waitMs);
  }

  /** Waits for a request that is under way already, unless it is waited for. */
  join(query: string, answeredMs: number): void {
    if (!this.#waiting.has(query)) this.start(query, answeredMs);
  }

  stop(query: string, answered: boolean): void {
    const waiting = this.#cancel(query);
    if (waiting !== undefined && answered) this.#usualMs.set(query, Date.now() - waiting.startedMs);
  }

  forget(query: string): void {
    this.#cancel(query);
    this.#usualMs.delete(query);
  }

  stopAll(): void {
    for (const query of [...this.#waiting.keys()]) this.#cancel(query);
  }

  /** @param moreMs given once to an answer that may already be there, after the page was too busy to read it */
  #wait(query: string, startedMs: number, untilMs: number, moreMs = LEAST_WAIT_MS): void {
    const timer = setTimeout(() => {
      const heldUp = Date.now() - untilMs > HELD_UP_MS && moreMs > 0;
      if (heldUp) this.#wait(query, startedMs, Date.now() + moreMs, 0);
      else this.#onSilence(query, silence());
    }, untilMs - Date.now());
    this.#waiting.set(query, { startedMs, timer });
  }

  #cancel(query: string): Waiting | undefined {
    const waiting = this.#waiting.get(query);
    if (waiting !== undefined) clearTimeout(waiting.timer);
    this.#waiting.delete(query);
    return waiting;
  }
}

/** Data rendered with the page has the server's time, which may be in the browser's future or distant past. */
function sinceAnswer(nowMs: number, answeredMs: number): number {
  const sinceMs = nowMs - answeredMs;
  return sinceMs >= 0 && sinceMs < SILENT_AFTER_MS ? sinceMs : 0;
}

function silence(): ApiError {
  return new ApiError({
    status: 0,
    code: "silent",
    message: "No answer for 3 s: the console's server or its database hangs.",
  });
}
