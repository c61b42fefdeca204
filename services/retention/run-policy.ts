import { setTimeout as delay } from "node:timers/promises";
import type { OutboxRetention, RemovedRows, RetentionEnd } from "#db/stores/port/retention.ts";
import { isAppError, toAppError } from "#domain/errors.ts";
import { RetentionPace } from "#domain/figures/retention-pace.ts";
import { formatPlural, sentence } from "#domain/format.ts";
import { whyClockIsDoubted } from "./doubted-clock.ts";
import type { RetentionPolicy } from "./policies-of.ts";

/** What a turn needs of the port. */
type TurnRetention = Pick<OutboxRetention, "refuses" | "removeSome" | "purgeArchived" | "pressure" | "begin" | "end">;

export interface TurnInput {
  retention: TurnRetention;
  policy: RetentionPolicy;
  /**
   * Where the last turn ended, so that rows that stay are not looked at again in each; null to begin with the oldest.
   */
  after: string | null;
  budgetMs: number;
  signal: AbortSignal;
}

export interface TurnResult {
  rows: number;
  end: RetentionEnd;
  detail: string | null;
  after: string | null;
}

const BATCH_TIMEOUT_MS = 2_000;

/**
 * One turn: batches until no old row is left, the time is up, or the database is busy. Each batch is a transaction that
 * also counts its rows, so that the counts stay right if a turn is killed. Never throws: a failure is how the turn
 * ended.
 */
export async function runPolicy(input: TurnInput): Promise<TurnResult> {
  const { retention, policy } = input;
  const turn = new PolicyTurn(input.after);
  let run: string | null = null;
  try {
    const refusal = policy.subject === "published" ? await retention.refuses(policy.rule) : null;
    run = await retention.begin({ subject: policy.subject, rule: policy.text });
    const result = refusal === null ? await runBatches(input, run, turn) : turn.ended("refused", refusal);
    await retention.end(run, result.end, result.detail);
    return result;
  } catch (error) {
    const { message } = toAppError(error);
    // The next turn begins with the oldest row: the place may be of an index that is gone.
    const result = { ...turn.ended("failed", sentence(message)), after: null };
    if (run !== null) await retention.end(run, "failed", result.detail).catch(() => undefined);
    return result;
  }
}

async function runBatches(input: TurnInput, run: string, turn: PolicyTurn): Promise<TurnResult> {
  const endsAt = performance.now() + input.budgetMs;
  while (!input.signal.aborted) {
    if (performance.now() > endsAt) return turn.ended("time", null);
    const end = await step(input, run, turn);
    if (end) return turn.ended(...end);
    await rest(turn.pace.restMs, input.signal);
  }
  return turn.ended("stopped", null);
}

class PolicyTurn {
  readonly pace = new RetentionPace();
  rows = 0;
  next: string | null;
  readonly #kept = new Map<string, number>();

  constructor(after: string | null) {
    this.next = after;
  }

  add({ rows, next, kept }: RemovedRows): void {
    this.rows += rows;
    this.next = next;
    for (const { reason, rows: stay } of kept) this.#kept.set(reason, (this.#kept.get(reason) ?? 0) + stay);
  }

  ended(end: RetentionEnd, why: string | null): TurnResult {
    const stay = [...this.#kept].map(([reason, rows]) => `${formatPlural(rows, "old row")} kept: ${reason}.`);
    const detail = [...(why === null ? [] : [why]), ...stay].join(" ");
    return { rows: this.rows, end, detail: detail === "" ? null : detail, after: end === "done" ? null : this.next };
  }
}

/** One batch, if there is room for it. Returns how the turn ends; null to go on. */
async function step(input: TurnInput, run: string, turn: PolicyTurn): Promise<[RetentionEnd, string | null] | null> {
  const { pace } = turn;
  const { probeMs, heldBack, databaseTimeMs } = await input.retention.pressure();
  const doubt = whyClockIsDoubted(databaseTimeMs);
  if (doubt !== null) return ["refused", doubt];
  if (heldBack !== null) return ["busy", sentence(heldBack)];
  if (!pace.probeTook(probeMs))
    return pace.isBusy ? ["busy", "A small statement took several times as long as usual."] : null;
  const startedMs = performance.now();
  const batch = await tryBatch({ ...input, run, limit: pace.rows, after: turn.next });
  if (batch === "locked") return ["locked", "Another session holds a lock that the batch would wait for."];
  if (batch === "timeout")
    return pace.batchTimedOut() ? null : ["timeout", `A batch of ${pace.rows} rows took more than 2 s.`];
  turn.add(batch);
  pace.batchTook(performance.now() - startedMs);
  return turn.next === null ? ["done", null] : null;
}

interface Batch extends Pick<TurnInput, "retention" | "policy" | "after"> {
  run: string;
  limit: number;
}

async function tryBatch(batch: Batch): Promise<RemovedRows | "locked" | "timeout"> {
  const { retention, policy, run, limit, after } = batch;
  const request = { run, limit, timeoutMs: BATCH_TIMEOUT_MS };
  try {
    return policy.subject === "archive"
      ? await retention.purgeArchived(policy.keepSeconds, request)
      : await retention.removeSome(policy.rule, { ...request, after });
  } catch (error) {
    if (isAppError(error) && error.code === "query_timeout") return "timeout";
    if (isAppError(error) && error.code === "locked") return "locked";
    throw error;
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
