import type { PauseEntry } from "#db/stores/port/relay/pause-entry.ts";
import {
  HOLD_SCOPE,
  holdReason,
  pauseScope,
  pausesInForce,
  withheldTypes,
} from "#db/stores/shared/relay/pauses-in-force.ts";
import type { TroubleEntry } from "#db/stores/shared/relay/settle-entries.ts";
import type { Session } from "../../connection/session.ts";
import { columnText, exact, instantText, quoteLiteral } from "../../tables/mapping-sql.ts";
import { textList } from "../literals.ts";
import { aggregateKey, ownName, type RelayContext, type StatementContext } from "../relay-context.ts";

/** FROM and WHERE of the active pauses of an outbox. Index: primary key of pause. */
export function activePauses({ own, outbox }: StatementContext): string {
  return `FROM ${ownName(own.pause)} WHERE outbox = ${quoteLiteral(outbox)} AND (until IS NULL OR until > UTC_TIMESTAMP(6))`;
}

/** SQL: a sum over rows that changes whenever one of these columns does. */
export function digestSql(columns: readonly string[]): string {
  const hash = `CAST(CONV(LEFT(MD5(CONCAT_WS(CHAR(31), ${columns.join(", ")})), 12), 16, 10) AS UNSIGNED)`;
  return `CONCAT(COUNT(*), ' ', COALESCE(SUM(${hash}), 0))`;
}

const COLUMNS = ["scope", "subject", "at", "COALESCE(until, '')", "COALESCE(message_id, '')"];

/** Active pauses, expired ones excluded. Read only when their digest has changed, because there may be thousands. */
export async function readPauses(context: RelayContext): Promise<readonly PauseEntry[]> {
  const [row] = await context.sessions.single((session) =>
    session.rows(`SELECT ${digestSql(COLUMNS)} ${activePauses(context)}`),
  );
  const digest = row?.[0] ?? "";
  if (digest === context.paused.digest) return context.paused.entries;
  context.paused = pausesInForce(digest, await readEntries(context));
  return context.paused.entries;
}

async function readEntries(context: RelayContext): Promise<PauseEntry[]> {
  const rows = await context.sessions.single((session) =>
    session.rows(
      `SELECT CASE scope WHEN '${HOLD_SCOPE}' THEN 'aggregate' ELSE scope END, subject, reason, \`by\`, ${instantText("until")}, message_id
       ${activePauses(context)}`,
    ),
  );
  return rows.map(([scope, subject, reason, by, until, messageId]) => ({
    scope: pauseScope(scope),
    subject: subject ?? "",
    reason: reason ?? "",
    by: by ?? "",
    until: until ?? null,
    messageId: messageId ?? null,
  }));
}

/**
 * SQL: conditions under which a read may return row `o` while event types are paused. Paused rows with an aggregate are
 * returned once, so the relay learns that the aggregate must wait and later messages do not overtake. Paused rows
 * without one stay in the table.
 */
export function typeGoesSql(context: StatementContext): string[] {
  const { eventType } = context.mapping.columns;
  const types = withheldTypes(context);
  if (!eventType || types.length === 0) return [];
  const paused = `${exact(columnText(eventType, "o"))} IN ${textList(types)}`;
  return [`(${paused} AND ${aggregateKey(context)} IS NULL) IS NOT TRUE`];
}

/**
 * With `onDead: hold`, holds the aggregate of a dead message until an operator decides about it; the hold survives
 * restarts and changes of owner. Written by the settle that marks the message dead. Index: primary key of pause.
 */
export async function holdAggregates(
  context: RelayContext,
  session: Session,
  entries: readonly TroubleEntry[],
): Promise<void> {
  if (context.onDead !== "hold") return;
  const holds = new Map<string, string>();
  for (const { message, outcome } of entries) {
    const { aggregateKey: subject, id } = message;
    if (outcome.kind !== "dead" || subject === null || holds.has(subject)) continue;
    const texts = [context.outbox, HOLD_SCOPE, subject, holdReason(message, outcome.failure.message), "relay", id];
    holds.set(subject, `(${texts.map(quoteLiteral).join(", ")}, UTC_TIMESTAMP(6))`);
  }
  if (holds.size === 0) return;
  await session.run(
    `INSERT INTO ${ownName(context.own.pause)} (outbox, scope, subject, reason, \`by\`, message_id, at)
     VALUES ${[...holds.values()].join(", ")} ON DUPLICATE KEY UPDATE outbox = VALUES(outbox)`,
  );
}
