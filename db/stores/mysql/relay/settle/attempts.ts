import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { Refund, SettleEntry } from "#db/stores/port/relay/settle.ts";
import { isWritten } from "#db/stores/port/written-columns.ts";
import { writableWords } from "#db/stores/shared/act/writable-words.ts";
import { storableText } from "#db/stores/shared/relay/storable-text.ts";
import { datetimeOf } from "../../connection/instant.ts";
import { literalOf } from "../../connection/literal.ts";
import type { Session } from "../../connection/session.ts";
import {
  columnSql,
  forced,
  nowValue,
  quoteIdentifier,
  quoteLiteral,
  quoteTable,
  unsentPredicate,
} from "../../tables/mapping-sql.ts";
import { claimOpening, readOpening } from "../claim/claim-transaction.ts";
import { hasId, textList } from "../literals.ts";
import { ownName, type RelayContext, type StatementContext } from "../relay-context.ts";
import { statusValue } from "./mark-published.ts";

/** Records attempts of messages; kept after a message is published or its row is gone. */
export async function recordAttempts(
  context: StatementContext,
  session: Session,
  entries: readonly SettleEntry[],
): Promise<void> {
  const { outbox, own, relayId, sinkName } = context;
  const values = entries.flatMap(({ message, outcome }) => {
    if (outcome.kind === "given_back") return [];
    const failure = outcome.kind === "published" ? null : outcome.failure;
    const facts = [
      outbox,
      message.id,
      message.attempts + 1,
      datetimeOf(outcome.startedAt.toISOString()),
      outcome.durationMs,
      outcome.kind,
      failure?.code ?? null,
      failure ? storableText(failure.message) : null,
      relayId,
      sinkName,
    ];
    return [`(${facts.map(literalOf).join(", ")})`];
  });
  if (values.length === 0) return;
  await session.run(
    `INSERT INTO ${ownName(own.attempt)} (outbox, message_id, number, started_at, duration_ms, outcome, code, error, relay, sink)
     VALUES ${values.join(", ")}`,
  );
}

/** Statement that drops the failure records of messages. Index: primary key of delivery. */
export function forgetSql({ own, outbox }: StatementContext, ids: readonly string[]): string {
  return `DELETE FROM ${ownName(own.delivery)} WHERE outbox = ${quoteLiteral(outbox)} AND message_id IN ${textList(ids)}`;
}

/**
 * Refunds attempts that turned out to be the environment's fault: the message is due at once, and without other
 * attempts it counts as never failed. The attempts stay in the history as given back. A message that is dead, published
 * or gone by now keeps its state, and a successful attempt keeps its outcome. A message that an operator has retried
 * since also keeps its state: it is due, its attempts count from 0, and its record keeps the earlier failures. Index:
 * primary key of delivery; attempt_message_idx. Race: an operator's verb on the same message, and the next owner. All
 * take the outbox's lock, so a click is not undone here, nor an attempt of a later term: throws LeaseLostError.
 */
export async function undoAttempts(
  context: RelayContext,
  { lease, undo }: { lease: Lease; undo: readonly Refund[] },
): Promise<void> {
  if (undo.length === 0) return;
  const delivery = ownName(context.own.delivery);
  // A dead message has no next attempt. If the table's own columns mark it dead, only that shows it here.
  const waiting = "dead_at IS NULL AND next_attempt_at IS NOT NULL";
  const less = `CASE message_id ${undo.map(({ id, charged }) => `WHEN ${quoteLiteral(id)} THEN ${charged}`).join(" ")} ELSE 0 END`;
  const chosen = `outbox = ${quoteLiteral(context.outbox)} AND message_id IN ${textList(undo.map(({ id }) => id))} AND ${waiting} AND attempts >= ${less}`;
  await context.sessions.transaction(
    async (session, opened, close) => {
      readOpening(opened);
      const rows = (opened.at(-2)?.rows ?? []).map(([id, attempts]) => ({ id: id ?? "", attempts: Number(attempts) }));
      const fresh = rows.filter(({ attempts }) => attempts === 0).map(({ id }) => id);
      await session.script([
        // Without marks this row is the only copy of the message.
        ...(fresh.length > 0 && context.mark !== "none" ? [forgetSql(context, fresh)] : []),
        ...undo.map((one) => giveBack(context, one)),
      ]);
      await close(context.mark === "none" ? [] : rows.flatMap((row) => undoNative(context, row)));
    },
    {
      opening: [
        ...claimOpening(context, lease),
        `SELECT message_id, attempts - ${less} FROM ${delivery} WHERE ${chosen} FOR UPDATE`,
        `UPDATE ${delivery} SET attempts = attempts - ${less}, next_attempt_at = UTC_TIMESTAMP(6) WHERE ${chosen}`,
      ],
    },
  );
}

/** The last attempts in the history of a message. */
function giveBack({ own, outbox }: RelayContext, { id, tries }: Refund): string {
  return `UPDATE ${ownName(own.attempt)} SET outcome = 'given_back'
    WHERE outbox = ${quoteLiteral(outbox)} AND message_id = ${quoteLiteral(id)} AND outcome = 'failed'
    ORDER BY id DESC LIMIT ${tries}`;
}

function undoNative({ mapping, facts }: RelayContext, { id, attempts }: { id: string; attempts: number }): string[] {
  const { columns, lifecycle, table } = mapping;
  const sets: string[] = [];
  if (columns.attempts) sets.push(`${columnSql(columns.attempts, "o")} = ${attempts}`);
  if (columns.attempts && isWritten(columns.availableAt)) {
    const due = columns.availableAt.nullIsDue ? "NULL" : nowValue(columns.availableAt);
    sets.push(`${columnSql(columns.availableAt, "o")} = ${due}`);
  }
  const [pending] = lifecycle.kind === "status" && attempts === 0 ? writableWords(lifecycle, "pending") : [];
  if (lifecycle.kind === "status" && pending !== undefined) {
    sets.push(`${columnSql(lifecycle.column, "o")} = ${statusValue(lifecycle.column, pending)}`);
  }
  if (sets.length === 0) return [];
  return [
    `UPDATE ${quoteTable(table)} ${quoteIdentifier("o")}${forced(facts.keyIndex)} SET ${sets.join(", ")}
     WHERE ${hasId(mapping, [id])} AND CASE WHEN ${unsentPredicate(mapping, "o")} THEN TRUE ELSE FALSE END`,
  ];
}
