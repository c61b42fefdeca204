import { isUnreachable, StoreError, troubleOf } from "#db/stores/port/store-error.ts";
import { AppError, isAppError } from "#domain/errors.ts";
import { type Outage, OutageMemory } from "./outage-memory.ts";

/** A database without any answer for this long is silent, ms. Health and metrics answer within 3 s. */
const SILENT_AFTER_MS = 2_300;
/** A query that takes longer than this triggers a ping, which distinguishes a slow query from a silent database, ms. */
const PING_AFTER_MS = 800;
/** While a database is silent, each query waits this long for a ping, ms. */
const PING_WAIT_MS = 200;

export interface Silence {
  /** Time of the first unanswered query. */
  since: string;
  message: string;
}

/**
 * Guards queries to one database. A hanging query fails within 2.3 s; until a ping succeeds, every further query fails
 * within 0.2 s. A database that answers pings is slow, not silent, and its queries continue.
 */
export class StoreGuard {
  readonly #what: string;
  readonly #ping: () => Promise<unknown>;
  #silence: Silence | null = null;
  /** Time of the first query that did not reach the database: a refused connection and a silence are one outage. */
  #unansweredSince: string | null = null;
  #pinging: Promise<boolean> | null = null;
  readonly #outages = new OutageMemory();

  /** `what` names the database in sentences, e.g. `store shop`. `ping` must fail by its own timeout. */
  constructor(options: { what: string; ping: () => Promise<unknown> }) {
    this.#what = options.what;
    this.#ping = options.ping;
  }

  get silence(): Silence | null {
    return this.#silence;
  }

  /**
   * For work that has just read from the database: the outage that this ends, otherwise the last one. Null if there was
   * none.
   */
  get outage(): Outage | null {
    return this.#outages.outage;
  }

  /**
   * Runs `work`. `patienceMs` limits the caller's wait even if the database answers pings; `work` continues. Throws:
   * unavailable while the database is silent, query_timeout when patience ends, with `details.answers` if a ping was
   * answered meanwhile, and the errors of `work`.
   */
  async ask<Value>(work: () => Promise<Value>, options: { patienceMs?: number } = {}): Promise<Value> {
    await this.check();
    const askedAt = new Date().toISOString();
    const answer = work();
    answer.catch(() => undefined);
    const patienceMs = options.patienceMs ?? Number.POSITIVE_INFINITY;
    if (await settlesWithin(answer, Math.min(PING_AFTER_MS, patienceMs))) return this.#heard(answer, askedAt);
    const firstWord = this.#firstWord(answer).then((word) => {
      if (word === "silence") throw this.#fallSilent(askedAt);
    });
    firstWord.catch(() => undefined);
    const leftMs = Math.max(0, patienceMs - PING_AFTER_MS);
    const heard = await settlesWithin(firstWord, leftMs);
    if (heard) await firstWord;
    if (await settlesWithin(answer, leftMs)) return this.#heard(answer, askedAt);
    const how = heard ? "answers, but too slowly to read the figures" : "has not answered in time";
    throw new AppError("query_timeout", `The database of ${this.#what} ${how}.`, { details: { answers: heard } });
  }

  /** Throws unavailable while the database is known to be silent. */
  async check(): Promise<void> {
    if (!this.#silence) return;
    await settlesWithin(this.#startPing(), PING_WAIT_MS);
    if (this.#silence) throw silenceError(this.#silence);
  }

  /** Pings in parallel: `silence` if neither the answer nor the ping's comes in time. */
  async #firstWord(answer: Promise<unknown>): Promise<"word" | "silence"> {
    const word = () => "word" as const;
    const pinged = this.#startPing().then((answers) => (answers ? word() : answer.then(word, word)));
    const heard = Promise.race([answer.then(word, word), pinged]);
    return (await settlesWithin(heard, SILENT_AFTER_MS - PING_AFTER_MS)) ? "word" : "silence";
  }

  async #heard<Value>(answer: Promise<Value>, askedAt: string): Promise<Value> {
    try {
      const value = await answer;
      this.#endSilence();
      this.#outages.end();
      return value;
    } catch (error) {
      if (isOutage(error)) this.#outages.begin();
      // A refusal is an answer too. A failed connection of an earlier query does not end the silence.
      if (!isUnreachable(error)) this.#endSilence();
      else this.#unansweredSince ??= askedAt;
      throw isAppError(error) ? this.#withSince(error) : error;
    }
  }

  #withSince(error: AppError): AppError {
    const { code, message, cause, details } = error;
    if (code !== "unavailable" || this.#unansweredSince === null) return error;
    const told = { cause, details: { ...details, silentSince: this.#unansweredSince } };
    const trouble = troubleOf(error);
    return trouble === null ? new AppError(code, message, told) : new StoreError(trouble, code, message, told);
  }

  #endSilence(): void {
    this.#silence = null;
    this.#unansweredSince = null;
  }

  #fallSilent(askedAt: string): AppError {
    this.#outages.begin();
    this.#unansweredSince ??= askedAt;
    this.#silence ??= {
      since: this.#unansweredSince,
      message: `The database of ${this.#what} does not answer: nothing came back within ${SILENT_AFTER_MS / 1000} s.`,
    };
    return silenceError(this.#silence);
  }

  /** True if the database answered, even with a refusal. One ping at a time. */
  #startPing(): Promise<boolean> {
    this.#pinging ??= this.#ping()
      .then(returnTrue, (error: unknown) => {
        if (!isUnreachable(error)) return true;
        if (this.#silence && error instanceof Error) this.#silence = { ...this.#silence, message: error.message };
        return false;
      })
      .then((answers) => {
        if (answers) this.#endSilence();
        return answers;
      })
      .finally(() => {
        this.#pinging = null;
      });
    return this.#pinging;
  }
}

/**
 * True if the database is unreachable: it does not answer or refuses connections. Not for a missing or forbidden table.
 */
export function isOutage(error: unknown): boolean {
  if (isUnreachable(error)) return true;
  return isAppError(error) && error.code === "unavailable" && troubleOf(error) === "refused";
}

function silenceError({ since, message }: Silence): AppError {
  return new AppError("unavailable", message, { details: { silentSince: since } });
}

/** Time since which the database does not answer; null if the error does not have it. */
export function silentSinceOf({ details }: Pick<AppError, "details">): string | null {
  const since = details?.silentSince;
  return typeof since === "string" ? since : null;
}

const returnTrue = () => true;

/** True once `promise` settles, false after `ms`. An answer that arrived while the process was busy still counts. */
async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = promise.then(returnTrue, returnTrue);
  if (ms === Number.POSITIVE_INFINITY) return settled;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, false), ms);
  });
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
