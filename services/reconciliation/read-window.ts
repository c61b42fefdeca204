import type { MessageRow } from "#db/stores/port/message-row.ts";
import { AppError } from "#domain/errors.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { OutboxHandle } from "../runtime.ts";
import type { CheckRun } from "./check-run.ts";

/** Published messages that one check looks up at most, newest first. */
const WINDOW = 10_000;
/** The same where reads are paid by the unit. */
const PAID_WINDOW = 500;
const PAGE = 2_000;

export interface Window {
  rows: MessageRow[];
  /** True if no published message of the table was left out. */
  whole: boolean;
  asOf: string;
}

/**
 * The newest published messages, through the index of the list of published ones. Ends early when the run is over.
 * Throws as the list; filter_not_indexed also where the list would leave out messages in between.
 */
export async function readWindow(handle: OutboxHandle, run: CheckRun): Promise<Window> {
  const most = handle.store.readUnits() === null ? WINDOW : PAID_WINDOW;
  const { read } = outboxOf(handle);
  const rows: MessageRow[] = [];
  let cursor: string | undefined;
  let asOf: string | null = null;
  do {
    const limit = Math.min(PAGE, most - rows.length);
    const ask = () => read.list({ filter: { state: "published" }, cursor, limit, count: false });
    const page = await run.ask(handle.store, ask);
    if (page.partial?.skipped) throw notIndexed(page.partial.index);
    asOf ??= page.asOf;
    rows.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && rows.length < most && !run.isOver());
  return { rows, whole: cursor === undefined, asOf };
}

function notIndexed(index: string): AppError {
  return new AppError("filter_not_indexed", "No index lists the published messages of this outbox.", {
    details: { index },
  });
}
