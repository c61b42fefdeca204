import { isAppError, toAppError } from "#domain/errors.ts";
import { type InboxConfig, outboxesOf } from "../config/inbox-schema.ts";
import { delay } from "../delay.ts";
import { perConsole, perRuntime } from "../per-runtime.ts";
import type { InboxHandle, OutboxHandle, Runtime, Tables } from "../runtime.ts";
import { Semaphore } from "../stores/semaphore.ts";
import { type Carried, checkPair, type PairCheck } from "./check-pair.ts";
import { checkRows, type RowsCheck } from "./check-rows.ts";
import { beginCheck, type CheckRun } from "./check-run.ts";
import { whyNotJudged, whyRowsNotJudged } from "./pair.ts";

/** Time from the end of one check of an inbox to the next. */
const PACE_MS = 60_000;
/** Largest share of time spent on an inbox: slow checks are made less often. */
const LARGEST_SHARE = 1 / 20;
const LONGEST_PACE_MS = 600_000;
/** Checks that are overdue by more than this no longer count, because there were no requests for a while. */
const LATE_MS = 60_000;
/** After a longer gap between checks, missing messages may have been processed and removed. */
const LONGEST_GAP_MS = 600_000;
/** While a check that was asked for in time waits for those of other inboxes: how long the last one counts, overdue. */
const QUEUED_MS = 300_000;
/** Inboxes of one store that a process checks at the same time. */
const AT_ONCE = 1;

/** `since`: time of the first failed check, by our clock. */
type Unchecked = { reason: string; since: string | null; index: string | null };

interface PairState {
  outbox: string;
  /** The last check; older than `unchecked` while both are there. Null before the first. */
  check: PairCheck | null;
  /** Why it is not known now; null if `check` is the newest. */
  unchecked: Unchecked | null;
}

/** State of the checks of one inbox. */
export interface InboxState {
  pairs: PairState[];
  rows: { check: RowsCheck | null; unchecked: Unchecked | null };
}

interface Board {
  state: InboxState | null;
  /** By outbox: what its last check missed, and when that was. */
  carried: Map<string, { messages: Carried; atMs: number }>;
  endedAtMs: number;
  restMs: number;
  running: Promise<void> | null;
  /** The running check has not begun yet, and was asked for while the last one still counted. */
  isQueued: boolean;
}

const boardsOf = perRuntime(() => new Map<string, Board>());
const turnsOf = perConsole(() => new Map<string, Semaphore>());

/** Configured inboxes whose consumers are to process the messages of an outbox within a limit. */
export function consumersOf({ config }: Runtime, outbox: string): [string, InboxConfig][] {
  return Object.entries(config.inboxes).filter(
    ([, inbox]) => isReconciled(inbox) && outboxesOf(inbox).includes(outbox),
  );
}

/** True if the configuration says within what time the consumer of the inbox processes a message. */
export function isReconciled({ processWithin }: Pick<InboxConfig, "processWithin">): boolean {
  return processWithin !== undefined;
}

/**
 * The last checks of an inbox, and begins the next when it is due; `waitMs`: how long to wait if there is none that
 * still counts. Null if there is none then. Never throws.
 */
export async function reconcile(
  runtime: Runtime,
  inbox: string,
  { waitMs = 0, paceMs = PACE_MS }: { waitMs?: number; paceMs?: number } = {},
): Promise<InboxState | null> {
  const board = boardOf(runtime, inbox);
  const restedMs = () => performance.now() - board.endedAtMs;
  const restMs = () => Math.max(paceMs, board.restMs);
  const counts = () => restedMs() <= restMs() + (board.isQueued ? QUEUED_MS : LATE_MS);
  if (!board.running && restedMs() >= restMs()) {
    board.isQueued = counts();
    board.running = begin(runtime, inbox, board);
  }
  if (!counts() && board.running && waitMs > 0) await Promise.race([board.running, delay(waitMs)]);
  return counts() ? board.state : null;
}

function boardOf(runtime: Runtime, inbox: string): Board {
  const boards = boardsOf(runtime);
  const known = boards.get(inbox);
  if (known) return known;
  const board: Board = {
    state: null,
    carried: new Map(),
    endedAtMs: Number.NEGATIVE_INFINITY,
    restMs: 0,
    running: null,
    isQueued: false,
  };
  boards.set(inbox, board);
  return board;
}

/** Inboxes of one slow store do not keep those of another from being checked. */
function turnsFor(runtime: Runtime, inbox: string): Semaphore {
  const store = runtime.config.inboxes[inbox]?.store ?? "";
  const ofStores = turnsOf(runtime);
  const turns = ofStores.get(store) ?? new Semaphore(AT_ONCE);
  ofStores.set(store, turns);
  return turns;
}

async function begin(runtime: Runtime, inbox: string, board: Board): Promise<void> {
  let tookMs = 0;
  try {
    await turnsFor(runtime, inbox).run(async () => {
      board.isQueued = false;
      if (runtime.closing.aborted) return;
      const startedAt = performance.now();
      const tables = await runtime.tables();
      const handle = tables.inboxes.find(({ name }) => name === inbox);
      board.state = handle
        ? await checkInbox({ tables, inbox: handle, board, run: beginCheck(runtime.closing) })
        : missing(inbox, runtime.config.inboxes[inbox], board.state);
      tookMs = performance.now() - startedAt;
    });
  } catch {
    // The tables could not be read: the last results stay and age.
  } finally {
    board.restMs = Math.min(tookMs / LARGEST_SHARE, LONGEST_PACE_MS);
    board.endedAtMs = performance.now();
    board.running = null;
  }
}

function missing(name: string, config: InboxConfig | undefined, before: InboxState | null): InboxState {
  const reason = `The inbox ${name} is missing now.`;
  return {
    pairs: (config ? outboxesOf(config) : []).map((outbox) => {
      const last = before?.pairs.find((pair) => pair.outbox === outbox);
      return { outbox, check: last?.check ?? null, unchecked: unchecked(reason, last?.unchecked) };
    }),
    rows: { check: before?.rows.check ?? null, unchecked: unchecked(reason, before?.rows.unchecked) },
  };
}

interface CheckInput {
  tables: Tables;
  inbox: InboxHandle;
  board: Board;
  run: CheckRun;
}

async function checkInbox(input: CheckInput): Promise<InboxState> {
  const { tables, inbox, board, run } = input;
  const pairs: PairState[] = [];
  for (const name of outboxesOf(inbox.config)) {
    const outbox = tables.outboxes.find((handle) => handle.name === name);
    const before = board.state?.pairs.find((pair) => pair.outbox === name);
    pairs.push(await checkOutbox({ inbox, outbox, name, before, board, run }));
  }
  return { pairs, rows: await checkInboxRows({ ...input, pairs }) };
}

interface PairInput {
  inbox: InboxHandle;
  outbox: OutboxHandle | undefined;
  name: string;
  before: PairState | undefined;
  board: Board;
  run: CheckRun;
}

async function checkOutbox({ inbox, outbox, name, before, board, run }: PairInput): Promise<PairState> {
  const last = { outbox: name, check: before?.check ?? null };
  if (!outbox) return { ...last, unchecked: unchecked(`There is no outbox named "${name}" now.`, before?.unchecked) };
  // While the mapping is in doubt, it is not certain which rows are published.
  if (outbox.stop && outbox.stop.code !== "library_publishes")
    return { ...last, unchecked: unchecked(outbox.stop.message, before?.unchecked) };
  const why = whyNotJudged({ inbox, outbox });
  if (why !== null) return { outbox: name, check: null, unchecked: { reason: why, since: null, index: null } };
  try {
    const carried = board.carried.get(name);
    const isUnbroken = carried !== undefined && performance.now() - carried.atMs <= LONGEST_GAP_MS;
    const done = await checkPair({ inbox, outbox }, isUnbroken ? carried.messages : new Map(), run);
    board.carried.set(name, { messages: done.carried, atMs: performance.now() });
    return { outbox: name, check: done.check, unchecked: null };
  } catch (error) {
    return { ...last, unchecked: uncheckedBy(error, before?.unchecked) };
  }
}

interface RowsInput extends CheckInput {
  pairs: readonly PairState[];
}

async function checkInboxRows({ tables, inbox, board, run, pairs }: RowsInput): Promise<InboxState["rows"]> {
  const before = board.state?.rows;
  const failed = pairs.find(({ unchecked }) => unchecked !== null);
  const last = before?.check ?? null;
  if (failed?.unchecked) return { check: failed.unchecked.since === null ? null : last, unchecked: failed.unchecked };
  const outboxes = tables.outboxes.filter(({ name }) => pairs.some(({ outbox }) => outbox === name));
  const why = outboxes.map((outbox) => whyRowsNotJudged({ inbox, outbox })).find((reason) => reason !== null);
  if (why) return { check: null, unchecked: { reason: why, since: null, index: null } };
  try {
    const starts = pairs.map(({ check }) => check?.from ?? null);
    const heldSince = starts.includes(null) ? null : (starts.toSorted().at(-1) ?? null);
    return { check: await checkRows(inbox, outboxes, heldSince, run), unchecked: null };
  } catch (error) {
    return { check: last, unchecked: uncheckedBy(error, before?.unchecked) };
  }
}

function unchecked(reason: string, before: Unchecked | null | undefined, index: string | null = null): Unchecked {
  return { reason, since: before?.since ?? new Date().toISOString(), index };
}

function uncheckedBy(thrown: unknown, before: Unchecked | null | undefined): Unchecked {
  const error = toAppError(thrown);
  const index = isAppError(error) && typeof error.details?.index === "string" ? error.details.index : null;
  const reason =
    error.code === "filter_not_indexed"
      ? "No index serves the lookup, and it would read a whole large table."
      : error.message;
  return unchecked(reason, before, index);
}
