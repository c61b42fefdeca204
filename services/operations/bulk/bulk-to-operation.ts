import type { Bulk, ItemCounts, Operation } from "#contracts/message/operations.ts";
import type { BulkRow } from "#db/stores/port/bulk-records.ts";
import { BULK_ACTIONS, isEnded } from "#domain/message/bulk-operation.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { bulkPlanSchema, describeSelection } from "./bulk-plan.ts";
import { type BulkProgress, countOf, readProgress } from "./bulk-progress.ts";
import { MOST_TAKEN } from "./most-taken.ts";

/** A worker that is alive takes a new operation within this time, ms. */
const TAKEN_WITHIN_MS = 5000;

interface Around {
  /** When its items are deleted. */
  itemsKeptUntil?: string | null;
  /** Whether a worker is alive; null or absent: not known. */
  monitorAlive?: boolean | null;
}

/** True if a worker should work on it and none has taken it. */
export function isUntaken({ state, runner }: BulkRow): boolean {
  return runner === null && (state === "selecting" || state === "running" || state === "cancelling");
}

/** A bulk operation as the API shows it. Throws if the record is not of this program. */
export function bulkToOperation(row: BulkRow, { itemsKeptUntil = null, monitorAlive = null }: Around = {}): Operation {
  const progress = readProgress(row.progress);
  const counts = itemCounts(progress);
  const action = BULK_ACTIONS.find((known) => known === row.action);
  if (!action) throw new Error(`Operation ${row.id} has an action that is not known: ${row.action}`);
  return {
    id: row.id,
    outbox: row.outbox,
    action,
    actor: row.actor.name,
    reason: row.reason,
    at: row.at,
    dryRun: false,
    finished: isEnded(row.state),
    done: counts.done + counts.released + counts.published + counts.failed_again + counts.unknown,
    skipped: counts.skipped + counts.refused + counts.cancelled,
    failed: 0,
    unknown: counts.left,
    outcomes: [],
    bulk: { ...toBulk(row, progress, counts), note: noteOf(row, progress, monitorAlive), itemsKeptUntil },
  };
}

function toBulk(row: BulkRow, progress: BulkProgress, counts: ItemCounts): Omit<Bulk, "itemsKeptUntil" | "note"> {
  const { selection, settings, sink } = bulkPlanSchema.parse(row.plan);
  // The rate that a runner saved says nothing of what happens after it.
  const ratePerSecond = isEnded(row.state) || row.runner === null ? null : progress.ratePerSecond;
  const moving = row.state === "running" && ratePerSecond !== null && ratePerSecond > 0;
  return {
    state: row.state,
    selection: describeSelection(selection),
    filter: "filter" in selection ? selection.filter : null,
    settings,
    sink,
    counts,
    ratePerSecond,
    secondsLeft: moving ? Math.ceil((counts.left + counts.released) / ratePerSecond) : null,
    canary: canaryOf(progress),
    runner: row.runner,
    endedAt: row.endedAt,
    timeline: progress.timeline,
  };
}

function canaryOf({ canary }: BulkProgress): Bulk["canary"] {
  if (!canary || canary.size === 0) return null;
  const { from: _, ...shown } = canary;
  return shown;
}

function noteOf(row: BulkRow, progress: BulkProgress, monitorAlive: boolean | null): string | null {
  if (isEnded(row.state)) return null;
  if (!isUntaken(row) || Date.now() - Date.parse(row.at) < TAKEN_WITHIN_MS) return progress.note;
  const start = `start \`${ourCommand("worker")}\``;
  if (monitorAlive === true)
    return `Waits for the worker, which is alive: it works on the ${MOST_TAKEN} oldest operations of a database at a time.`;
  if (monitorAlive === false) return `Nothing works on it now: no worker is alive. To resume it, ${start}.`;
  return `Nothing works on it now. A worker takes it over within seconds; if none is alive, ${start}.`;
}

function itemCounts(progress: BulkProgress): ItemCounts {
  const of = (outcome: Parameters<typeof countOf>[1]) => countOf(progress, outcome);
  const counts = {
    released: of("released"),
    published: of("published"),
    failed_again: of("failed_again"),
    done: of("done"),
    skipped: of("skipped"),
    refused: of("refused"),
    cancelled: of("cancelled"),
    unknown: of("unknown"),
  };
  const settled = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { selected: progress.selected, left: Math.max(progress.selected - settled, 0), ...counts };
}
