import { type SQL, sql } from "drizzle-orm";
import type { Pool, PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { KeptRows, RetentionPreview, RetentionRule } from "#db/stores/port/retention.ts";
import { orderBy } from "#db/stores/shared/read/keyset.ts";
import { requireAge } from "#db/stores/shared/retention/age-column.ts";
import type { Walk } from "#db/stores/shared/retention/walk.ts";
import { AppError } from "#domain/errors.ts";
import { toText } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { instantOf, instantText } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { chooseWalk } from "./choose-walk.ts";
import { bytesOf, slotAge } from "./find-removable.ts";
import { boundOf, isRemovable, pinOf } from "./removable.ts";
import { whyRowsStay } from "./why-rows-stay.ts";

const CAP = 10_000;
/** Rows looked at where the order is not that of the age. */
const LOOKED_AT = 200_000;
const TIMEOUT_MS = 5_000;
const BATCH = 1_000;

interface Counted extends Record<string, unknown> {
  pin: string | null;
  rows: number;
  bytes: number;
  oldestAt: string | null;
  newestAt: string | null;
  boundAt: string;
}

/**
 * The rows that a run would remove now. Changes nothing. Throws wrong_state with the reason if nothing may be removed.
 */
export function previewPublished(pool: Pool, ref: OutboxRef, rule: RetentionRule): Promise<RetentionPreview> {
  return withReadTransaction(pool, TIMEOUT_MS, async (client) => {
    const no = await whyRowsStay(client, ref, rule);
    if (no !== null) throw new AppError("wrong_state", no);
    const age = requireAge(ref);
    const walk = await chooseWalk(client, ref, age);
    if (!walk) throw new AppError("wrong_state", "No index leads to the oldest rows of this table.");
    const groups = await count(client, ref, rule, walk);
    const free = groups.find(({ pin }) => pin === null);
    const seen = groups.reduce((sum, { rows }) => sum + rows, 0);
    const capped = seen > CAP || (walk.windowed && ref.estimatedRows > LOOKED_AT);
    const rows = Math.min(free?.rows ?? 0, CAP);
    return {
      rows: { value: rows, precision: capped ? "capped" : "exact" },
      bytes: free?.bytes ?? 0,
      oldestAt: free?.oldestAt ?? null,
      newestAt: free?.newestAt ?? null,
      boundAt: groups[0]?.boundAt ?? (await readBound(client, rule)),
      ageOf: age.of,
      kept: groups.flatMap(({ pin, rows: kept }): KeptRows[] => (pin === null ? [] : [{ reason: pin, rows: kept }])),
      statement: statementOf(ref, rule, walk),
    };
  });
}

async function count(client: PoolClient, ref: OutboxRef, rule: RetentionRule, walk: Walk): Promise<Counted[]> {
  const age = requireAge(ref);
  const outbox = outboxTable(ref.mapping);
  const { table, rows } = outbox;
  const order = sql.join(orderBy(walk), sql`, `);
  const source = walk.windowed
    ? sql`(SELECT ${rows}.*, ${rows}.xmin FROM ${table} ${rows} ORDER BY ${order} LIMIT ${LOOKED_AT}) ${rows}`
    : sql`${table} ${rows}`;
  const behind = await slotAge(client, rule.reader);
  const at = (which: "min" | "max") => instantText(sql`${sql.raw(which)}(found.at)`);
  const { rows: groups } = await queryOn(client).execute<Counted>(
    sql`SELECT found.pin, count(*)::int AS rows, coalesce(sum(found.bytes), 0)::float8 AS bytes, ${at("min")} AS "oldestAt", ${at("max")} AS "newestAt",
        ${instantText(boundOf(rule.keepSeconds))} AS "boundAt"
      FROM (SELECT ${pinOf(ref, rule, behind)} AS pin, ${bytesOf(ref)} AS bytes, ${instantOf(outbox, age.column)} AS at
        FROM ${source} WHERE ${isRemovable(ref, rule, age)} ORDER BY ${order} LIMIT ${CAP + 1}) found GROUP BY found.pin`,
  );
  return groups;
}

async function readBound(client: PoolClient, rule: RetentionRule): Promise<string> {
  const { rows } = await queryOn(client).execute<{ at: string }>(
    sql`SELECT ${instantText(boundOf(rule.keepSeconds))} AS at`,
  );
  return rows[0]?.at ?? "";
}

/** The statement of one batch as people read it; the batch itself locks, judges and deletes in three statements. */
function statementOf(ref: OutboxRef, rule: RetentionRule, walk: Walk): string {
  const { table, rows } = outboxTable(ref.mapping);
  const key = sql.join(
    ref.mapping.primaryKey.map(({ name }) => sql.identifier(name) as unknown as SQL),
    sql`, `,
  );
  const oldest = sql`SELECT ${key} FROM ${table} ${rows}
  WHERE ${isRemovable(ref, rule, requireAge(ref))}
  ORDER BY ${sql.join(orderBy(walk), sql`, `)} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
  const text = toText(
    sql`DELETE FROM ${table} WHERE (${key}) IN (
  ${oldest}
)`.inlineParams(),
  );
  return rule.how === "archive" ? `-- after the same rows were copied into the archive\n${text};` : `${text};`;
}
