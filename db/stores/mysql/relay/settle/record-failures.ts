import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { isWritten } from "#db/stores/port/written-columns.ts";
import { deadWord, writableWords } from "#db/stores/shared/act/writable-words.ts";
import type { DeadRepresentation } from "#db/stores/shared/relay/dead-representation.ts";
import { attemptsAfter, errorText, type TroubleEntry } from "#db/stores/shared/relay/settle-entries.ts";
import { fingerprint } from "#domain/message/fingerprint.ts";
import { datetimeOf } from "../../connection/instant.ts";
import { literalOf } from "../../connection/literal.ts";
import type { Session } from "../../connection/session.ts";
import { kindOf } from "../../tables/column-kinds.ts";
import { columnSql, encodeInstant, forced, quoteLiteral, quoteTable } from "../../tables/mapping-sql.ts";
import { afterMs, hasId } from "../literals.ts";
import { ownName, type StatementContext } from "../relay-context.ts";
import { statusValue } from "./mark-published.ts";

const DELIVERY_COLUMNS = [
  "outbox",
  "message_id",
  "aggregate_key",
  "order_key",
  "event_type",
  "created_at",
  "attempts",
  "first_error_code",
  "first_error",
  "last_error_code",
  "last_error",
  "fingerprint",
  "image",
  "next_attempt_at",
  "dead_at",
  "dead_by",
  "first_failed_at",
  "last_failed_at",
];
const REPLACED = [
  "attempts",
  "next_attempt_at",
  "dead_at",
  "dead_by",
  "last_error_code",
  "last_error",
  "last_failed_at",
  "fingerprint",
];
const FIRST = ["first_error_code", "first_error", "first_failed_at"];

/**
 * Writes each failure to its delivery row, and to the table's own columns. Index: primary key of delivery.
 * Race: none; the claim row locked by the settle keeps operators and other owners out.
 */
export async function recordFailures(
  context: StatementContext,
  session: Session,
  entries: readonly TroubleEntry[],
  dead: DeadRepresentation,
): Promise<void> {
  const changes = [
    ...REPLACED.map((name) => `${name} = VALUES(${name})`),
    ...FIRST.map((name) => `${name} = COALESCE(${name}, VALUES(${name}))`),
    "image = COALESCE(VALUES(image), image)",
  ];
  await session.script([
    `INSERT INTO ${ownName(context.own.delivery)} (${DELIVERY_COLUMNS.join(", ")})
     VALUES ${entries.map((entry) => deliveryRow(context, entry, dead)).join(", ")}
     ON DUPLICATE KEY UPDATE ${changes.join(", ")}`,
    ...(context.mark === "none" ? [] : nativeStatements(context, entries, dead)),
  ]);
}

function deliveryRow({ outbox, mark }: StatementContext, entry: TroubleEntry, dead: DeadRepresentation): string {
  const { message, outcome } = entry;
  const { code } = outcome.failure;
  const error = errorText(entry);
  const beside = outcome.kind === "dead" && dead === "beside";
  const facts = [
    outbox,
    message.id,
    message.aggregateKey,
    JSON.stringify(message.order),
    message.eventType,
    message.createdAt === null ? null : datetimeOf(message.createdAt),
    attemptsAfter(entry),
    code,
    error,
    code,
    error,
    fingerprint({ code, error, eventType: message.eventType }),
    mark === "none" ? JSON.stringify(message) : null,
  ];
  const rest = [
    outcome.kind === "failed" ? afterMs(outcome.nextAttemptInMs) : "NULL",
    ...(beside ? ["UTC_TIMESTAMP(6)", "'relay'"] : ["NULL", "NULL"]),
    "UTC_TIMESTAMP(6)",
    "UTC_TIMESTAMP(6)",
  ];
  return `(${[...facts.map(literalOf), ...rest].join(", ")})`;
}

/**
 * Writes failures to the table's own columns, which the team's tools read: one statement a row. Index: the primary key.
 */
function nativeStatements(
  context: StatementContext,
  entries: readonly TroubleEntry[],
  dead: DeadRepresentation,
): string[] {
  const { mapping, facts } = context;
  const sorted = [...entries].sort((left, right) => (left.message.id < right.message.id ? -1 : 1));
  return sorted.flatMap((entry) => {
    const sets = nativeSets(context, entry, dead);
    if (sets.length === 0) return [];
    const table = `${quoteTable(mapping.table)} o${forced(facts.keyIndex)}`;
    return [`UPDATE ${table} SET ${sets.join(", ")} WHERE ${hasId(mapping, [entry.message.id])}`];
  });
}

function nativeSets({ mapping, facts }: StatementContext, entry: TroubleEntry, dead: DeadRepresentation): string[] {
  const { columns, lifecycle, deadAttempts } = mapping;
  const { outcome } = entry;
  const sets: string[] = [];
  const set = (column: MappedColumn, value: string) => sets.push(`${columnSql(column, "o")} = ${value}`);
  if (columns.attempts) {
    // If only the number of attempts marks a message dead, it must reach the limit; with a dead word it stays true.
    const byNumber =
      outcome.kind === "dead" &&
      dead === "native" &&
      deadAttempts !== null &&
      deadWord(mapping.lifecycle) === undefined;
    set(columns.attempts, String(byNumber ? Math.max(attemptsAfter(entry), deadAttempts) : attemptsAfter(entry)));
  }
  if (columns.lastError && kindOf(columns.lastError.type) === "text") {
    set(columns.lastError, fittingText(columns.lastError.type, errorText(entry), facts.errorCharset));
  }
  // With an attempts column this is the time of the next attempt; without one it is the producer's schedule and is
  // kept.
  if (isWritten(columns.availableAt) && columns.attempts) {
    const nextMs = outcome.kind === "failed" ? outcome.nextAttemptInMs : 0;
    set(columns.availableAt, encodeInstant(columns.availableAt, afterMs(nextMs)));
  }
  if (lifecycle.kind === "status") {
    const [failing] = writableWords(lifecycle, "failed");
    const given = dead === "native" ? (deadWord(lifecycle) ?? failing) : failing;
    const word = outcome.kind === "dead" ? given : failing;
    if (word !== undefined) set(lifecycle.column, statusValue(lifecycle.column, word));
  }
  return sets;
}

/** Most characters of a short column whose type has no declared length. */
const TINYTEXT_CHARACTERS = 63;

/** Characters that a column of the character set lacks; null for none. */
const LACKING: Record<string, RegExp | null> = {
  utf8mb4: null,
  utf16: null,
  utf32: null,
  utf8: /[\u{10000}-\u{10ffff}]/gu,
  utf8mb3: /[\u{10000}-\u{10ffff}]/gu,
  latin1: /[\u0080-\u009f\u0100-\u{10ffff}]/gu,
};
/** For a character set of which less is known. */
const NOT_ASCII = /[\u0080-\u{10ffff}]/gu;

/**
 * Text cut to the column's length, with a question mark for what its character set lacks: both would fail the settle.
 * MariaDB refuses to convert such a literal itself.
 */
function fittingText(type: string, text: string, charset: string | null): string {
  const named = /\((\d+)\)/.exec(type)?.[1];
  const most = named === undefined ? (/^tinytext/.test(type) ? TINYTEXT_CHARACTERS : null) : Number(named);
  const lacking = LACKING[charset ?? "utf8mb4"];
  const known = lacking === null ? text : text.replace(lacking ?? NOT_ASCII, "?");
  return quoteLiteral(most === null ? known : [...known].slice(0, most).join(""));
}
