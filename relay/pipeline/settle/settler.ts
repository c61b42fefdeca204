import type { MessageOutcome, SettleResult } from "#db/stores/port/relay/settle.ts";
import { isUnreachable, troubleOf } from "#db/stores/port/store-error.ts";
import { OUTCOMES_UNWRITTEN, ROWS_LOCKED } from "#domain/relay/unwritten-outcomes.ts";
import { Moment } from "#relay/clock/database-clock.ts";
import type { ClaimedMessage, Lanes } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { storeReason } from "../state/store-reason.ts";
import { Waker } from "../state/waker.ts";

export interface Decided {
  claimed: ClaimedMessage;
  outcome: MessageOutcome;
}

interface Part {
  batch: Decided[];
  /** Start of its first try. */
  since: Moment;
  /** True if an earlier try may have been committed. */
  afterDoubt: boolean;
  dueAtMs: number;
  /** Each of its outcomes was refused alone, and not because of a lock. */
  refusedAlone: boolean;
}

const MOST = 2000;
const MOST_AT_ONCE = 2;
/** Outcomes that are worth a transaction without waiting for more. */
const ENOUGH = 400;
const LINGER_MS = 5;
const LONGEST_LINGER_MS = 25;
/** If the last transaction had this many outcomes, more are coming: wait longer, since fewer, larger ones cost less. */
const MANY = 3;
const LONGEST_RETRY_MS = 2000;
const LONGEST_WAIT_MS = 60_000;
/** Wait before retrying an outcome that the database refused. */
const REFUSED_MS = 200;
/** The same for a row that another session has locked: each try occupies a transaction that others could use. */
const LOCKED_MS = 2000;

/**
 * Writes outcomes as they come, without waiting for the slowest message of a claim. Runs two transactions at a time, of
 * different claims: while one waits for the disk or the network, the other works. An outcome that cannot be written is
 * kept and tried again while the lease lasts.
 */
export class Settler {
  readonly #context: PipelineContext;
  readonly #lanes: Lanes;
  readonly #onSettled: (batch: readonly Decided[], result: SettleResult) => void;
  readonly #waker = new Waker();
  /** Waiting outcomes by the token of their claim, longest waiting first. */
  readonly #queue = new Map<string, Decided[]>();
  /** Claims with outcomes in a running transaction: the one that ends a claim must be its last. */
  readonly #writing = new Set<string>();
  #queued = 0;
  #running = 0;
  readonly #sinceOf = new Set<Moment>();
  /** Messages in running transactions. */
  #inTransaction = 0;
  /** Parts of refused batches, settled separately, so that one bad row does not delay the others. */
  #parts: Part[] = [];
  /** Parts run one at a time: while one waits for a lock, the other transaction stays free. */
  #partRuns = false;
  /** Nothing is written before this time, because the database was unreachable. */
  #restUntilMs = 0;
  #stopped = false;
  #failing = false;
  #warned = false;
  #lastSize = 0;

  constructor(
    context: PipelineContext,
    lanes: Lanes,
    onSettled: (batch: readonly Decided[], result: SettleResult) => void,
  ) {
    this.#context = context;
    this.#lanes = lanes;
    this.#onSettled = onSettled;
  }

  /** True while outcomes cannot be written because the database is unreachable, so that claiming more is pointless. */
  get failing(): boolean {
    return this.#failing;
  }
  get idle(): boolean {
    return this.#queued === 0 && this.#parts.length === 0 && this.#running === 0;
  }
  /** Start of the oldest unfinished settle, refused tries included; null when there is none. */
  get since(): Moment | null {
    const all = [...this.#sinceOf, ...this.#parts.map(({ since }) => since)];
    return all.reduce<Moment | null>((first, one) => (first && first.monoMs <= one.monoMs ? first : one), null);
  }
  get unwritten(): number {
    return this.#parts.reduce((sum, { batch }) => sum + batch.length, this.#queued + this.#inTransaction);
  }

  push(claimed: ClaimedMessage, outcome: MessageOutcome): void {
    const waiting = this.#queue.get(claimed.token);
    if (waiting) waiting.push({ claimed, outcome });
    else this.#queue.set(claimed.token, [{ claimed, outcome }]);
    this.#queued += 1;
    if (this.#queued === 1 || this.#queued === ENOUGH) this.#waker.wake();
  }

  stop(): void {
    this.#stopped = true;
    this.#waker.wake();
  }

  /** Runs until `stop`. Outcomes still queued then belong to a term that is over. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      const now = performance.now();
      const restMs = this.#running < MOST_AT_ONCE ? this.#restUntilMs - now : LONGEST_WAIT_MS;
      if (restMs > 0) await this.#waker.wait(restMs);
      else if (!this.#beginPart(now) && !(await this.#beginQueued())) await this.#waker.wait(this.#partInMs());
    }
  }

  #beginPart(now: number): boolean {
    if (this.#partRuns) return false;
    const place = this.#parts.findIndex(({ batch, dueAtMs }) => dueAtMs <= now && !this.#isWriting(batch));
    const [part] = place < 0 ? [] : this.#parts.splice(place, 1);
    if (part) void this.#settlePart(part);
    return part !== undefined;
  }

  async #beginQueued(): Promise<boolean> {
    // While the database is unreachable, only refused batches are tried again.
    if (this.#queued === 0 || this.#failing) return false;
    if (this.#queued < ENOUGH) {
      if (this.#running > (this.#partRuns ? 1 : 0)) return false;
      await this.#linger();
    }
    const batch = this.#take();
    if (batch.length > 0) void this.#settle(batch, false, new Moment());
    return batch.length > 0;
  }

  /** Time until the next refused part is due, ms, leaving out parts whose claim is being written. */
  #partInMs(): number {
    if (this.#partRuns) return LONGEST_WAIT_MS;
    const free = this.#parts.filter(({ batch }) => !this.#isWriting(batch));
    const dueAtMs = Math.min(...free.map((part) => part.dueAtMs));
    return Math.min(Math.max(0, dueAtMs - performance.now()), LONGEST_WAIT_MS);
  }

  #isWriting(batch: readonly Decided[]): boolean {
    return batch.some(({ claimed }) => this.#writing.has(claimed.token));
  }

  #linger(): Promise<void> {
    return this.#waker.wait(this.#lastSize < MANY ? LINGER_MS : LONGEST_LINGER_MS);
  }

  /** Takes waiting outcomes of claims that are not being written. */
  #take(): Decided[] {
    const batch: Decided[] = [];
    for (const [token, waiting] of this.#queue) {
      if (this.#writing.has(token)) continue;
      if (batch.length > 0 && batch.length + waiting.length > MOST) break;
      this.#queue.delete(token);
      for (const decided of waiting) batch.push(decided);
    }
    this.#queued -= batch.length;
    if (batch.length > 0) this.#lastSize = batch.length;
    return batch;
  }

  async #settlePart({ batch, afterDoubt, since, refusedAlone }: Part): Promise<void> {
    this.#partRuns = true;
    const written = await this.#settle(batch, afterDoubt, since);
    this.#partRuns = false;
    if (written && refusedAlone) this.#joinRefused(2 * batch.length);
    // Every outcome that could not be written became a part: other batches do not show that they can be written.
    if (this.#warned && this.#parts.length === 0) this.#worksAgain();
    this.#waker.wake();
  }

  /** What refused them is over for one of them: tries more at once, as one by one thousands would take minutes. */
  #joinRefused(most: number): void {
    const found = this.#parts.filter(({ refusedAlone }) => refusedAlone).slice(0, Math.min(most, MOST));
    const [first] = found;
    if (first === undefined) return;
    const rest = this.#parts.filter((part) => !found.includes(part));
    const since = found.reduce((oldest, one) => (one.since.monoMs < oldest.monoMs ? one.since : oldest), first.since);
    const afterDoubt = found.some((part) => part.afterDoubt);
    const batch = found.flatMap((part) => part.batch);
    this.#parts = [{ batch, since, afterDoubt, dueAtMs: performance.now(), refusedAlone: true }, ...rest];
  }

  /** True if the batch was written. */
  async #settle(batch: Decided[], afterDoubt: boolean, since: Moment): Promise<boolean> {
    const tokens = new Set(batch.map(({ claimed }) => claimed.token));
    const own = new Moment(since.monoMs);
    this.#sinceOf.add(own);
    this.#running += 1;
    this.#inTransaction += batch.length;
    for (const token of tokens) this.#writing.add(token);
    try {
      const { table, lease } = this.#context;
      const entries = batch.map(({ claimed, outcome }) => ({
        token: claimed.token,
        message: claimed.message,
        outcome,
      }));
      const endedTokens = this.#lanes.endedTokens(batch.map(({ claimed }) => claimed));
      const result = await table.settle({ lease, entries, endedTokens, afterDoubt });
      this.#failing = false;
      this.#onSettled(batch, result);
      return true;
    } catch (error) {
      this.#again({ batch, afterDoubt, since }, error);
      return false;
    } finally {
      this.#sinceOf.delete(own);
      this.#running -= 1;
      this.#inTransaction -= batch.length;
      for (const token of tokens) this.#writing.delete(token);
      this.#waker.wake();
    }
  }

  #worksAgain(): void {
    this.#warned = false;
    this.#context.log.info("outcomes are written again");
  }

  #again({ batch, afterDoubt, since }: Pick<Part, "batch" | "afterDoubt" | "since">, error: unknown): void {
    const { log, stats } = this.#context;
    const inDoubt = troubleOf(error) === "commit_in_doubt";
    const part = { since, afterDoubt: afterDoubt || inDoubt, refusedAlone: false };
    stats.lastError = `${OUTCOMES_UNWRITTEN}${isLocked(error) ? ROWS_LOCKED : storeReason(error)}`;
    if (!this.#warned) log.warn({ err: error, messages: batch.length }, "outcomes cannot be written; trying again");
    this.#warned = true;
    const now = performance.now();
    // In doubt twice: where a settle takes several transactions, a later one may refuse an outcome every time.
    this.#failing = isUnreachable(error) && !(inDoubt && afterDoubt);
    if (this.#failing) {
      this.#restUntilMs = now + Math.random() * LONGEST_RETRY_MS;
      this.#parts.push({ ...part, batch, dueAtMs: now });
    } else if (batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      const halves = [batch.slice(0, half), batch.slice(half)];
      this.#parts.push(...halves.map((half) => ({ ...part, batch: half, dueAtMs: now })));
    } else {
      const locked = isLocked(error);
      this.#parts.push({ ...part, batch, dueAtMs: now + (locked ? LOCKED_MS : REFUSED_MS), refusedAlone: !locked });
    }
  }
}

function isLocked(error: unknown): boolean {
  return troubleOf(error) === "locked";
}
