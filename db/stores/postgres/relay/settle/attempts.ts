import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { Refund, SettleEntry } from "#db/stores/port/relay/settle.ts";
import { isWritten } from "#db/stores/port/written-columns.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import {
  besideKeys,
  columnSql,
  nowValue,
  quoteIdentifier,
  quoteTable,
  unsentPredicate,
} from "#db/stores/postgres/tables/mapping-sql.ts";
import { writableWords } from "#db/stores/shared/act/writable-words.ts";
import { storableText } from "#db/stores/shared/relay/storable-text.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { claimLock, requireHolds } from "../claim/claim-transaction.ts";
import { leaseHolds } from "../lease/term-sql.ts";
import type { RelayContext } from "../relay-context.ts";
import { statusValue } from "./mark-published.ts";

/** Attempts of a message; kept after it is published or its row is gone. */
const INSERT = `
INSERT INTO outbox_console.attempt (outbox, message_id, number, started_at, duration_ms, outcome, code, error, relay, sink)
SELECT $1, a.id, a.number, a.started_at, a.duration_ms, a.outcome, a.code, a.error, $3, $4
FROM json_to_recordset($2::json) AS a(id text, number int, started_at timestamptz, duration_ms float8, outcome text, code text, error text)`;

export async function recordAttempts(
  context: RelayContext,
  session: RelaySession,
  entries: readonly SettleEntry[],
): Promise<void> {
  const facts = entries.flatMap(({ message, outcome }) => {
    if (outcome.kind === "given_back") return [];
    const failure = outcome.kind === "published" ? null : outcome.failure;
    return {
      id: message.id,
      number: message.attempts + 1,
      started_at: outcome.startedAt,
      duration_ms: outcome.durationMs,
      outcome: outcome.kind,
      code: failure?.code ?? null,
      error: failure ? storableText(failure.message) : null,
    };
  });
  if (facts.length === 0) return;
  await session.query("attempt-insert", INSERT, [
    context.outbox,
    JSON.stringify(facts),
    context.relayId,
    context.sinkName,
  ]);
}

/** Drops the failure records of published messages. Index: primary key of delivery. */
export async function forgetDelivery(
  context: RelayContext,
  session: RelaySession,
  ids: readonly string[],
): Promise<void> {
  await session.query(
    "delivery-forget",
    "DELETE FROM outbox_console.delivery WHERE outbox = $1 AND message_id = ANY ($2::text[])",
    [context.outbox, textArray(ids)],
  );
}

/**
 * Refunds attempts that turned out to be the environment's fault: the message is due at once, and without other
 * attempts it counts as never failed. The attempts stay in the history as given back. A message that is dead, published
 * or gone by now keeps its state, and a successful attempt keeps its outcome. A message that an operator has retried
 * since also keeps its state: it is due, its attempts count from 0, and its record keeps the earlier failures. Index:
 * primary key of delivery; attempt_message_idx. Race: an operator's verb on the same message, and the next owner. All
 * take the outbox's advisory lock, so a click is not undone here, nor an attempt of a later term: throws LeaseLostError.
 */
export async function undoAttempts(
  context: RelayContext,
  { lease, undo }: { lease: Lease; undo: readonly Refund[] },
): Promise<void> {
  const values = [context.outbox, JSON.stringify(undo)];
  const list = "json_to_recordset($2::json) AS u(id text, tries int, charged int)";
  await context.sessions.transaction({
    opening: [claimLock(context), leaseHolds(context, lease)],
    work: async (session, opened) => {
      requireHolds(opened.at(-1)?.[0]?.[0]);
      // A dead message waits for no attempt; where its own columns show that it is dead, that is all that is known
      // here.
      const still = await session.query(
        "undo-delivery",
        `UPDATE outbox_console.delivery d SET attempts = d.attempts - u.charged, next_attempt_at = clock_timestamp()
         FROM ${list} WHERE d.outbox = $1 AND d.message_id = u.id AND d.dead_at IS NULL AND d.next_attempt_at IS NOT NULL
           AND d.attempts >= u.charged
         RETURNING d.message_id, d.attempts::text`,
        values,
      );
      const fresh = still.rows.filter(([, attempts]) => attempts === "0").map(([id]) => id ?? "");
      // Without marks this row is the only copy of the message.
      if (fresh.length > 0 && context.mark !== "none") await forgetDelivery(context, session, fresh);
      await session.query(
        "undo-attempt",
        `UPDATE outbox_console.attempt a SET outcome = 'given_back' FROM ${list}
         WHERE a.id IN (SELECT x.id FROM outbox_console.attempt x WHERE x.outbox = $1 AND x.message_id = u.id
           AND x.outcome = 'failed' ORDER BY x.id DESC LIMIT u.tries)`,
        values,
      );
      const rows = still.rows.map(([id, attempts]) => ({ id: id ?? "", attempts: Number(attempts) }));
      if (rows.length > 0 && context.mark !== "none") await undoNative(context, session, rows);
    },
  });
}

async function undoNative(
  context: RelayContext,
  session: RelaySession,
  rows: readonly { id: string; attempts: number }[],
): Promise<void> {
  const { columns, lifecycle, primaryKey, table } = context.mapping;
  const sets: string[] = [];
  if (columns.attempts) sets.push(`${quoteIdentifier(columns.attempts.name)} = f.attempts`);
  if (columns.attempts && isWritten(columns.availableAt)) {
    const due = columns.availableAt.nullIsDue ? "NULL" : nowValue(columns.availableAt);
    sets.push(`${quoteIdentifier(columns.availableAt.name)} = ${due}`);
  }
  const [pending] = lifecycle.kind === "status" ? writableWords(lifecycle, "pending") : [];
  if (lifecycle.kind === "status" && pending !== undefined) {
    const word = statusValue(lifecycle.column.type, pending);
    sets.push(
      `${columnSql(lifecycle.column)} = CASE WHEN f.attempts = 0 THEN ${word} ELSE ${columnSql(lifecycle.column, "o")} END`,
    );
  }
  if (sets.length === 0) return;
  const keys = rows.map(({ id }) => decodeMessageId(id, primaryKey.length));
  const arrays = primaryKey.map((column, index) => `$${2 + index}::text[]::${column.type}[]`);
  const names = primaryKey.map((_, index) => `k${index}`);
  const match = primaryKey.map((column, index) => `${columnSql(column, "o")} = f.${names[index]}`);
  await session.query(
    "undo-native",
    `UPDATE ${quoteTable(table)} o SET ${sets.join(", ")} FROM unnest($1::int[], ${arrays.join(", ")}) AS f(attempts, ${names.join(", ")})
     WHERE ${match.join(" AND ")} AND ${besideKeys(unsentPredicate(context.mapping, "o"))}`,
    [rows.map(({ attempts }) => attempts), ...keyParameters(keys, primaryKey.length).map(textArray)],
  );
}
