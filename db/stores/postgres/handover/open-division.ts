import type pg from "pg";
import type { Division, LogNames, StoredPlace } from "#db/stores/port/handover.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { AppError } from "#domain/errors.ts";
import { parseLsn } from "../replication/lsn.ts";
import { quoteTable } from "../tables/mapping-sql.ts";
import { judgeSent, type Place } from "./judge-sent.ts";
import { openSession } from "./own-session.ts";
import { readLog } from "./read-log.ts";
import { waitingSql } from "./waiting-sql.ts";

const PAGE = 2_000;

interface Input extends LogNames {
  url: string;
  ref: OutboxRef;
  place: StoredPlace | null;
  most: number;
}

/**
 * A snapshot of the unsent rows, less those that the log has behind `place`. The log is read after the snapshot was
 * taken and up to its end, so it has every row that the snapshot sees and the reader has not sent; rows that the
 * snapshot does not see are left alone.
 */
export async function openDivision(input: Input): Promise<Division> {
  const { url, ref } = input;
  const [rows, log] = [await openSession(url), await openSession(url)];
  const close = async () => {
    await Promise.allSettled([rows.end(), log.end()]);
  };
  try {
    await rows.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const { id, where } = waitingSql(ref);
    // Opening the cursor takes the snapshot.
    await rows.query(
      `DECLARE waiting NO SCROLL CURSOR FOR SELECT ${id} AS id FROM ${quoteTable(ref.mapping.table)} o WHERE ${where}`,
      [ref.name],
    );
    await writeOut(log);
    const { behind, doubtful } = await readBehind(log, input);
    return { behind: behind.size, doubtful, close, next: () => nextSent(rows, behind) };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * A commit that did not wait for the disk is visible before the log that is read has it. This commit waits, and
 * the log is written in order.
 */
async function writeOut(session: pg.Client): Promise<void> {
  await session.query(
    "BEGIN; SET LOCAL synchronous_commit = 'local'; SELECT pg_current_xact_id(), pg_logical_emit_message(true, 'outbox_console', 'change-over'); COMMIT",
  );
}

async function readBehind(log: pg.Client, { ref, reader, feed, place, most }: Input) {
  const at = place === null ? NOWHERE : placeOf(place);
  await requireUnconfirmed(log, reader, at);
  const behind = new Set<string>();
  let doubtful = 0;
  for await (const transaction of readLog(log, { ref, reader, feed })) {
    const judged = judgeSent(transaction, at);
    for (const id of judged.behind) behind.add(id);
    doubtful += judged.doubtful;
    if (behind.size > most)
      throw new AppError(
        "invalid_input",
        `More than ${most} messages come after the position: begin nearer to the end.`,
      );
  }
  return { behind, doubtful };
}

async function nextSent(rows: pg.Client, behind: ReadonlySet<string>): Promise<string[] | null> {
  for (;;) {
    const page = await rows.query<{ id: string }>(`FETCH ${PAGE} FROM waiting`);
    if (page.rows.length === 0) return null;
    const sent = page.rows.map(({ id }) => id).filter((id) => !behind.has(id));
    if (sent.length > 0) return sent;
  }
}

/** Throws if the slot has confirmed more than Connect has stored: it does not send those transactions again. */
async function requireUnconfirmed(log: pg.Client, reader: string, { commit, change }: Place): Promise<void> {
  const { rows } = await log.query<{ confirmed: string }>(
    "SELECT confirmed_flush_lsn::text AS confirmed FROM pg_replication_slots WHERE slot_name = $1",
    [reader],
  );
  const confirmed = rows[0]?.confirmed;
  if (confirmed === undefined) throw new AppError("wrong_state", `There is no replication slot ${reader}.`);
  const stored = [commit, change].filter((lsn) => lsn !== null);
  if (stored.length === 0 || stored.some((lsn) => lsn >= parseLsn(confirmed))) return;
  throw new AppError(
    "wrong_state",
    `The slot ${reader} has confirmed ${confirmed}, which is more than Connect has stored. Nothing says whether the rows in between were published.`,
  );
}

const NOWHERE: Place = { commit: null, change: null, xid: null };

function placeOf(stored: StoredPlace): Place {
  if (stored.by !== "change")
    throw new AppError("wrong_state", "The offset that Connect has stored is of another database.");
  const { commit, change, transaction } = stored;
  return {
    commit: commit === null ? null : BigInt(commit),
    change: change === null ? null : BigInt(change),
    xid: transaction === null ? null : Number(BigInt(transaction) % 4_294_967_296n),
  };
}
