import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import { holdsText, isWritten } from "#db/stores/port/written-columns.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import { columnSql, encodeInstant, quoteIdentifier, quoteTable } from "#db/stores/postgres/tables/mapping-sql.ts";
import { deadWord, writableWords } from "#db/stores/shared/act/writable-words.ts";
import type { DeadRepresentation } from "#db/stores/shared/relay/dead-representation.ts";
import { attemptsAfter, errorText, type TroubleEntry } from "#db/stores/shared/relay/settle-entries.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { fingerprint } from "#domain/message/fingerprint.ts";
import type { RelayContext } from "../relay-context.ts";
import { statusValue } from "./mark-published.ts";

/**
 * Writes each failure to its delivery row. Index: primary key of delivery.
 * Race: none; the claim row locked by the settle keeps operators and other owners out.
 */
const DELIVERY = `
INSERT INTO outbox_console.delivery AS d (outbox, message_id, aggregate_key, order_key, event_type, created_at, attempts, next_attempt_at,
  dead_at, dead_by, first_error_code, first_error, first_failed_at, last_error_code, last_error, last_failed_at, fingerprint, image)
SELECT $1, f.id, f.aggregate_key, f.order_key, f.event_type, f.created_at, f.attempts,
  clock_timestamp() + f.next_ms * interval '1 ms', CASE WHEN f.beside THEN clock_timestamp() END, CASE WHEN f.beside THEN 'relay' END,
  f.code, f.error, clock_timestamp(), f.code, f.error, clock_timestamp(), f.fingerprint, f.image
FROM json_to_recordset($2::json) AS f(id text, aggregate_key text, order_key text[], event_type text, created_at timestamptz, attempts int,
  next_ms float8, beside boolean, code text, error text, fingerprint text, image json)
ON CONFLICT (outbox, message_id) DO UPDATE SET
  attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at, dead_at = excluded.dead_at, dead_by = excluded.dead_by,
  first_error_code = coalesce(d.first_error_code, excluded.first_error_code),
  first_error = coalesce(d.first_error, excluded.first_error),
  first_failed_at = coalesce(d.first_failed_at, excluded.first_failed_at),
  last_error_code = excluded.last_error_code, last_error = excluded.last_error, last_failed_at = excluded.last_failed_at,
  fingerprint = excluded.fingerprint, image = coalesce(excluded.image, d.image)`;

export async function recordFailures(
  context: RelayContext,
  session: RelaySession,
  entries: readonly TroubleEntry[],
  dead: DeadRepresentation,
): Promise<void> {
  const facts = entries.map((entry) => {
    const { message, outcome } = entry;
    const error = errorText(entry);
    return {
      id: message.id,
      aggregate_key: message.aggregateKey,
      order_key: message.order,
      event_type: message.eventType,
      created_at: message.createdAt,
      attempts: attemptsAfter(entry),
      next_ms: outcome.kind === "failed" ? outcome.nextAttemptInMs : null,
      beside: outcome.kind === "dead" && dead === "beside",
      code: outcome.failure.code,
      error,
      fingerprint: fingerprint({ code: outcome.failure.code, error, eventType: message.eventType }),
      image: context.mark === "none" ? message : null,
    };
  });
  await session.query("failure-delivery", DELIVERY, [context.outbox, JSON.stringify(facts)]);
  if (context.mark !== "none") await writeNative(context, session, entries, dead);
}

/** Writes failures to the table's own columns, which the team's tools read. Index: the primary key. */
async function writeNative(
  context: RelayContext,
  session: RelaySession,
  entries: readonly TroubleEntry[],
  dead: DeadRepresentation,
): Promise<void> {
  const { mapping } = context;
  const sets = nativeSets(mapping, dead);
  if (sets.length === 0) return;
  const keyLength = mapping.primaryKey.length;
  const sorted = [...entries].sort((left, right) => (left.message.id < right.message.id ? -1 : 1));
  const keys = sorted.map(({ message }) => decodeMessageId(message.id, keyLength));
  const keyNames = mapping.primaryKey.map((_, index) => `k${index}`);
  const arrays = mapping.primaryKey.map((column, index) => `$${5 + index}::text[]::${column.type}[]`);
  const match = mapping.primaryKey.map((column, index) => `${columnSql(column, "o")} = f.${keyNames[index]}`);
  await session.query(
    `failure-native-${dead}`,
    `UPDATE ${quoteTable(mapping.table)} o SET ${sets.join(", ")}
     FROM unnest($1::int[], $2::text[], $3::float8[], $4::boolean[], ${arrays.join(", ")}) AS f(attempts, error, next_ms, dead, ${keyNames.join(", ")})
     WHERE ${match.join(" AND ")}`,
    [
      sorted.map(attemptsAfter),
      sorted.map(errorText),
      sorted.map(({ outcome }) => (outcome.kind === "failed" ? outcome.nextAttemptInMs : 0)),
      sorted.map(({ outcome }) => outcome.kind === "dead"),
      ...keyParameters(keys, keyLength).map(textArray),
    ],
  );
}

function nativeSets(mapping: OutboxMapping, dead: DeadRepresentation): string[] {
  const { columns, lifecycle, deadAttempts } = mapping;
  const sets: string[] = [];
  const set = (column: { name: string }, value: string) => sets.push(`${quoteIdentifier(column.name)} = ${value}`);
  if (columns.attempts) {
    // If only the number of attempts marks a message dead, it must reach the limit; with a dead word it stays true.
    const byNumber = dead === "native" && deadAttempts !== null && deadWord(mapping.lifecycle) === undefined;
    const least = `greatest(f.attempts, ${deadAttempts})`;
    set(columns.attempts, byNumber ? `CASE WHEN f.dead THEN ${least} ELSE f.attempts END` : "f.attempts");
  }
  if (columns.lastError && holdsText(columns.lastError)) {
    const limit = /\((\d+)\)/.exec(columns.lastError.type)?.[1];
    set(columns.lastError, limit ? `left(f.error, ${limit})` : "f.error");
  }
  // With an attempts column this is the time of the next attempt; without one it is the producer's schedule and is
  // kept.
  if (isWritten(columns.availableAt) && columns.attempts) {
    set(columns.availableAt, encodeInstant(columns.availableAt, "(clock_timestamp() + f.next_ms * interval '1 ms')"));
  }
  const [failing] = lifecycle.kind === "status" ? writableWords(lifecycle, "failed") : [];
  const named = deadWord(lifecycle);
  if (lifecycle.kind === "status" && (failing !== undefined || named !== undefined)) {
    const current = columnSql(lifecycle.column, "o");
    const value = (word: string | undefined) =>
      word === undefined ? current : statusValue(lifecycle.column.type, word);
    const failed = value(failing);
    const given = dead === "native" ? value(named ?? failing) : failed;
    set(lifecycle.column, `CASE WHEN f.dead THEN ${given} ELSE ${failed} END`);
  }
  return sets;
}
