import { encodeMessageId } from "#db/stores/port/message-id.ts";
import { type InboxEntry, judgeRows } from "#domain/reconciliation/judge.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { InboxHandle, OutboxHandle } from "../runtime.ts";
import type { CheckRun } from "./check-run.ts";
import { rangeOf } from "./range-of.ts";
import { otherSpellings } from "./spellings.ts";

/** Rows of an inbox that one check looks for in its outboxes. */
const MOST_ROWS = 500;
/** The same where reads are paid by the unit. */
const MOST_PAID_ROWS = 50;
const MOST_LISTED = 100;

interface UnmatchedRow extends InboxEntry {
  messageId: string;
  consumer: string | null;
  eventType: string | null;
}

/** The first rows of an inbox's list, the newest where it is in order of time, against all of its outboxes. */
export interface RowsCheck {
  asOf: string;
  checked: number;
  /** Of the oldest and the newest that were looked for; null where no column says it. */
  from: string | null;
  to: string | null;
  /** False if the list has another order, such as that of random keys: then the rows are not the newest ones. */
  inTime: boolean;
  /** False if the inbox holds other rows. */
  whole: boolean;
  known: number;
  /** Rows of messages that no outbox holds. */
  unmatched: number;
  /** As `unmatched`, but the message may have been removed from its outbox. */
  unknown: number;
  rows: UnmatchedRow[];
}

/** `heldSince`: creation of the oldest message that every outbox still holds; null if that is not known. */
export async function checkRows(
  inbox: InboxHandle,
  outboxes: readonly OutboxHandle[],
  heldSince: string | null,
  run: CheckRun,
): Promise<RowsCheck> {
  const { store, name, mapping, config } = inbox;
  const isPaid = [inbox, ...outboxes].some((one) => one.store.readUnits() !== null);
  const limit = isPaid ? MOST_PAID_ROWS : MOST_ROWS;
  const consumer = mapping.consumer ? config.consumer : undefined;
  const ask = () => store.inbox(name, mapping).list({ filter: { state: "all", consumer }, limit });
  const page = await run.ask(store, ask);
  const ids = new Set(page.rows.flatMap(({ messageId }) => messageId ?? []));
  const known = new Set<string>();
  for (const outbox of outboxes) {
    const missing = [...ids].filter((id) => !known.has(id));
    for (const id of await held(outbox, missing, run)) known.add(id);
  }
  const rows = page.rows.flatMap(({ id, messageId, consumer: by, eventType, receivedAt, processedAt }) =>
    messageId === null
      ? []
      : [
          {
            ...{ id, messageId, consumer: by, eventType },
            at: receivedAt ?? processedAt,
            known: known.has(messageId),
          },
        ],
  );
  const judged = judgeRows(rows, heldSince);
  return {
    ...{ asOf: page.asOf, checked: rows.length, whole: page.nextCursor === null },
    ...rangeOf(rows.map(({ at }) => at)),
    ...{ known: judged.known, unknown: judged.unknown, unmatched: judged.unmatched.length },
    rows: judged.unmatched.slice(0, MOST_LISTED),
  };
}

/** Of message ids, those that the outbox holds, its dead letters and its archive included. */
async function held(outbox: OutboxHandle, messageIds: readonly string[], run: CheckRun): Promise<string[]> {
  const byId = new Map(
    messageIds.flatMap((messageId) =>
      [messageId, ...otherSpellings(messageId)].map((text) => [encodeMessageId([text]), messageId]),
    ),
  );
  const ask = () => outboxOf(outbox).read.find([...byId.keys()]);
  const found = await run.ask(outbox.store, ask);
  return found.flatMap(({ id }) => byId.get(id) ?? []);
}
