import { keyColumns } from "#db/stores/port/message-id.ts";
import type { DeadLetterFacts } from "#db/stores/shared/act/dead-letter-facts.ts";
import { moveToDeadLetter } from "../../act/move-to-dead-letter.ts";
import { rfc3339 } from "../../connection/instant.ts";
import type { Session } from "../../connection/session.ts";
import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { imageSurvives } from "../../tables/row-image.ts";
import { textList } from "../literals.ts";
import { ownName, type RelayContext } from "../relay-context.ts";
import { forgetSql } from "./attempts.ts";

/** Ids that are already among the dead letters. Their first image is kept; the second row stays in its table. */
export async function alreadyBuried(
  { own, outbox }: RelayContext,
  session: Session,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await session.rows(
    `SELECT message_id FROM ${ownName(own.deadLetter)} WHERE outbox = ${quoteLiteral(outbox)} AND message_id IN ${textList(ids)}`,
  );
  return new Set(rows.map(([id]) => id ?? ""));
}

/** Ids whose rows could not be restored unchanged from their images; they must stay in their table. */
export async function immovableIds(
  { mapping }: RelayContext,
  session: Session,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const survive = (some: readonly string[]) =>
    imageSurvives(session, mapping, keyColumns(some, mapping.primaryKey.length));
  if (await survive(ids)) return new Set();
  const immovable = new Set<string>();
  for (const id of ids) if (!(await survive([id]))) immovable.add(id);
  return immovable;
}

/** Moves rows out with the failures that `recordFailures` has just written. The caller has locked the rows. */
export async function buryRows(context: RelayContext, session: Session, ids: readonly string[]): Promise<void> {
  const { mapping, outbox } = context;
  const facts = await readFacts(context, session, ids);
  await moveToDeadLetter(session, mapping, {
    outbox,
    by: "relay",
    facts,
    keys: keyColumns(ids, mapping.primaryKey.length),
  });
  await session.run(forgetSql(context, ids));
}

async function readFacts(
  { own, outbox }: RelayContext,
  session: Session,
  ids: readonly string[],
): Promise<DeadLetterFacts[]> {
  const rows = await session.rows(
    `SELECT message_id, attempts, first_error_code, first_error, first_failed_at, last_error_code, last_error, last_failed_at, fingerprint
     FROM ${ownName(own.delivery)} WHERE outbox = ${quoteLiteral(outbox)} AND message_id IN ${textList(ids)}`,
  );
  const at = (text: string | null | undefined) => (text == null ? null : rfc3339(text));
  return rows.map(([id, attempts, firstCode, first, firstAt, lastCode, last, lastAt, fingerprint]) => ({
    messageId: id ?? "",
    attempts: Number(attempts),
    firstErrorCode: firstCode ?? null,
    firstError: first ?? null,
    firstFailedAt: at(firstAt),
    lastErrorCode: lastCode ?? null,
    lastError: last ?? null,
    lastFailedAt: at(lastAt),
    fingerprint: fingerprint ?? null,
  }));
}
