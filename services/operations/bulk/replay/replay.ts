import type { BulkLease, BulkRecords, BulkRow, ItemResult, ItemRow } from "#db/stores/port/bulk-records.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { isSameVersion } from "#db/stores/port/seen-version.ts";
import { AppError } from "#domain/errors.ts";
import type { Failure } from "#domain/failure.ts";
import { whyNotRepublished } from "#domain/message/republish.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { createErrorMask, type ErrorMask } from "../../../masking/error-mask.ts";
import { maskerFor, outboxOf } from "../../../outboxes/outbox-of.ts";
import type { OutboxHandle, Runtime } from "../../../runtime.ts";
import { ReplayPauses } from "./replay-pauses.ts";
import type { OpenReplaySink, ReplayOutcome, ReplaySink } from "./replay-sink.ts";

/** A call ends after this time, well within the runner's lease; messages without an answer are then sent again. */
const CALL_MS = 8000;
/** Number of sends after which a failure that may be the sink's or the message's counts as the message's. */
const MOST_TRIES = 3;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

const IN_DOUBT = "It was handed to the sink, which did not answer: whether it arrived is unknown.";

export interface Replayed {
  /** Outcomes of items that had none before. */
  skipped: ItemResult[];
  /** Items that had none before and are released now. */
  released: number;
  /** Outcomes of released items. */
  settled: ItemResult[];
  /** Sentence: why the others wait; null if none does. */
  waits: string | null;
}

const NOTHING: Replayed = { skipped: [], released: 0, settled: [], waits: null };

/**
 * Sends published messages once more, for one operation. An item is released before its message is handed to the sink,
 * so that after a crash it is known which may have arrived: those are sent again. The row does not change.
 */
export class Replay {
  readonly #runtime: Runtime;
  readonly #bulk: BulkRecords;
  readonly #lease: BulkLease;
  readonly #sinkName: string;
  readonly #open: OpenReplaySink | undefined;
  readonly #pauses: ReplayPauses;
  readonly #tries = new Map<number, number>();
  #sink: ReplaySink | undefined;
  #mask: ErrorMask | undefined;
  /** Outcomes that could not be written. */
  #unwritten: ItemResult[] = [];
  #waitMs = 0;
  #nextFromMs = 0;

  constructor(input: {
    runtime: Runtime;
    bulk: BulkRecords;
    row: BulkRow;
    sink: string;
    open: OpenReplaySink | undefined;
  }) {
    this.#runtime = input.runtime;
    this.#bulk = input.bulk;
    this.#lease = { id: input.row.id, fence: input.row.fence };
    this.#sinkName = input.sink;
    this.#open = input.open;
    this.#pauses = new ReplayPauses(input.row.outbox);
  }

  /** False while the sink is given time to recover. */
  get ready(): boolean {
    return performance.now() >= this.#nextFromMs;
  }

  /** Items without an outcome, or released ones whose outcome is not known. Throws what the store throws. */
  async send(handle: OutboxHandle, items: readonly ItemRow[], signal: AbortSignal): Promise<Replayed> {
    const written = await this.#writeAgain();
    if (written.length > 0) return { ...NOTHING, settled: written };
    const paused = await this.#pauses.read(handle);
    if (paused.all !== null) return { ...NOTHING, waits: paused.all };
    const sink = await this.#opened(handle);
    const { messages, results } = await this.#look(handle, items, paused.of);
    const fresh = items.filter(({ seq, outcome }) => outcome === null && messages.has(seq));
    const skipped = results.filter(({ seq }) => items.some((item) => item.seq === seq && item.outcome === null));
    const released = fresh.map(({ seq }) => ({ seq, outcome: "released" as const, code: null, message: null }));
    if (!(await this.#bulk.settle(this.#lease, [...results, ...released]))) return NOTHING;
    const lost = results.filter((result) => !skipped.includes(result));
    const sent = [...messages];
    const outgoing = sent.map(([, message]) => message);
    const outcomes = await sink.publish(outgoing, AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]));
    const judged = this.#judge(sent, await this.#masked(handle, outgoing, outcomes));
    this.#unwritten = judged.settled;
    const settled = [...lost, ...(await this.#writeAgain())];
    // A worker that stops cuts the call off itself: that says nothing of the sink.
    return { skipped, released: fresh.length, settled, waits: signal.aborted ? null : judged.waits };
  }

  /** Settles items as unknown whose answers are no longer awaited. Those with an answer keep it. */
  async giveUp(items: readonly ItemRow[]): Promise<ItemResult[]> {
    const answered = new Set(this.#unwritten.map(({ seq }) => seq));
    const written = await this.#writeAgain();
    const results = items
      .filter(({ seq }) => !answered.has(seq))
      .map(({ seq }) => ({ seq, outcome: "unknown" as const, code: null, message: IN_DOUBT }));
    return (await this.#bulk.settle(this.#lease, results)) ? [...written, ...results] : written;
  }

  async close(): Promise<void> {
    await this.#sink?.close();
    this.#sink = undefined;
  }

  async #opened(handle: OutboxHandle): Promise<ReplaySink> {
    if (!this.#open)
      throw new AppError(
        "unavailable",
        `this monitor runs without sinks: start \`${ourCommand("worker")}\` in its place.`,
      );
    this.#sink ??= await this.#open({ runtime: this.#runtime, handle, sink: this.#sinkName });
    return this.#sink;
  }

  /** The outcomes as they may be recorded and shown. */
  async #masked(handle: OutboxHandle, sent: readonly OutgoingMessage[], outcomes: readonly ReplayOutcome[]) {
    if (outcomes.every(({ kind }) => kind !== "failed")) return outcomes;
    this.#mask ??= await createErrorMask(() => maskerFor(handle));
    const mask = this.#mask;
    return outcomes.map((outcome, index) => {
      const message = sent[index];
      if (outcome.kind !== "failed" || !message) return outcome;
      return { ...outcome, failure: { ...outcome.failure, message: mask(message, outcome.failure.message) } };
    });
  }

  /** Writes outcomes that could not be written because of a lost connection. */
  async #writeAgain(): Promise<ItemResult[]> {
    const results = this.#unwritten;
    if (results.length > 0 && !(await this.#bulk.settle(this.#lease, results))) return [];
    this.#unwritten = [];
    return results;
  }

  /** Messages to send, by the item's number, and the outcomes of items whose message is not published any more. */
  async #look(handle: OutboxHandle, items: readonly ItemRow[], pausedBy: (row: MessageRow) => Promise<string | null>) {
    const { read } = outboxOf(handle);
    const ids = items.map(({ messageId }) => messageId);
    const outgoing = new Map((await read.outgoing(ids, fieldsOf(handle))).map((one) => [one.id, one]));
    // Read after the payloads: a row that left in between is not sent.
    const rows = new Map((await read.find(ids)).map((row) => [row.id, row]));
    const messages = new Map<number, OutgoingMessage>();
    const results: ItemResult[] = [];
    for (const item of items) {
      const row = rows.get(item.messageId);
      const message = outgoing.get(item.messageId);
      const why = whyNot(item, row) ?? (row ? pausedWords(await pausedBy(row)) : null);
      if (why === null && message) messages.set(item.seq, { ...message, replay: this.#lease.id });
      else results.push(notSent(item, why ?? GONE));
    }
    return { messages, results };
  }

  #judge(sent: readonly [number, OutgoingMessage][], outcomes: readonly ReplayOutcome[]) {
    const settled: ItemResult[] = [];
    let failure: Failure | null = null;
    sent.forEach(([seq], index) => {
      const outcome = outcomes[index];
      if (outcome?.kind === "published")
        settled.push({ seq, outcome: "published", code: null, message: `Re-published to ${this.#sinkName}.` });
      if (outcome?.kind !== "failed") return;
      if (this.#isOver(seq, outcome.failure))
        settled.push({ seq, outcome: "failed_again", code: outcome.failure.code, message: outcome.failure.message });
      else failure ??= outcome.failure;
    });
    const waits = this.#waitAfter(failure, { all: settled.length === sent.length, some: settled.length > 0 });
    return { settled, waits };
  }

  /** True if the message is not tried again. A failure of the sink itself does not count against a message. */
  #isOver(seq: number, { kind }: Failure): boolean {
    if (kind === "message") return true;
    if (kind === "environment") return false;
    const tries = (this.#tries.get(seq) ?? 0) + 1;
    this.#tries.set(seq, tries);
    return tries >= MOST_TRIES;
  }

  #waitAfter(failure: Failure | null, { all, some }: { all: boolean; some: boolean }): string | null {
    this.#waitMs = all || some ? 0 : Math.min(Math.max(this.#waitMs * 2, FIRST_WAIT_MS), LONGEST_WAIT_MS);
    this.#nextFromMs = performance.now() + Math.max(this.#waitMs, failure?.retryAfterMs ?? 0);
    if (failure !== null) return `Sink ${this.#sinkName} does not take messages: ${failure.message}`;
    return all || some ? null : `Sink ${this.#sinkName} has not answered within ${CALL_MS / 1000} s.`;
  }
}

interface Why {
  code: string;
  message: string;
}

const GONE: Why = { code: "not_found", message: "It left the table since it was selected." };

function whyNot({ version }: ItemRow, row: MessageRow | undefined): Why | null {
  if (!row) return GONE;
  const message = whyNotRepublished(row.state);
  if (message !== undefined) return { code: "wrong_state", message };
  return isSameVersion(row.version, version)
    ? null
    : { code: "conflict", message: "It has changed since it was selected." };
}

function pausedWords(message: string | null): Why | null {
  return message === null ? null : { code: "wrong_state", message };
}

function notSent({ seq, outcome }: ItemRow, { code, message }: Why): ItemResult {
  if (outcome === null) return { seq, outcome: "skipped", code, message };
  return { seq, outcome: "unknown", code, message: `${IN_DOUBT} ${message}` };
}

function fieldsOf({ config }: OutboxHandle): Readonly<Record<string, string>> {
  return config.relay?.route.fields ?? {};
}
