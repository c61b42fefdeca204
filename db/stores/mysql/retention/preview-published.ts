import { type SQL, sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { RetentionPreview, RetentionRule } from "#db/stores/port/retention.ts";
import { orderBy } from "#db/stores/shared/read/keyset.ts";
import { requireAge } from "#db/stores/shared/retention/age-column.ts";
import type { Walk } from "#db/stores/shared/retention/walk.ts";
import { AppError } from "#domain/errors.ts";
import { toText } from "../connection/dialect.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { instantOf, instantText } from "../tables/column-values.ts";
import { messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { chooseWalk } from "./choose-walk.ts";
import { bytesOf } from "./find-removable.ts";
import { readPins } from "./read-pins.ts";
import { boundOf, isRemovable } from "./removable.ts";
import { whyRowsStay } from "./why-rows-stay.ts";

const CAP = 10_000;
/** Rows looked at where the order is not that of the age. */
const LOOKED_AT = 200_000;
const TIMEOUT_MS = 5_000;
const BATCH = 1_000;

/** What a run would remove now. Changes nothing. Throws wrong_state with the reason why nothing may go. */
export function previewPublished(pool: Pool, ref: OutboxRef, rule: RetentionRule): Promise<RetentionPreview> {
  return withReadTransaction(pool, TIMEOUT_MS, async (session) => {
    const no = await whyRowsStay(session, ref, rule);
    if (no !== null) throw new AppError("wrong_state", no);
    const age = requireAge(ref);
    const walk = await chooseWalk(session, ref, age);
    if (!walk) throw new AppError("wrong_state", "No index leads to the oldest rows of this table.");
    const found = await look(session, ref, rule, walk);
    const pins = await readPins(
      session,
      ref,
      rule,
      found.map(([id]) => id ?? ""),
    );
    const free = found.filter(([id]) => !pins.has(id ?? ""));
    const ages = free.flatMap(([, , at]) => (at ? [at] : [])).sort();
    const reasons = [...pins.values()];
    const capped = found.length > CAP || (walk.windowed && ref.estimatedRows > LOOKED_AT);
    const [bound] = await session.rows(sql`SELECT ${instantText(boundOf(rule.keepSeconds))}`);
    return {
      rows: { value: Math.min(free.length, CAP), precision: capped ? "capped" : "exact" },
      bytes: free.reduce((sum, [, bytes]) => sum + Number(bytes), 0),
      oldestAt: ages[0] ?? null,
      newestAt: ages.at(-1) ?? null,
      boundAt: bound?.[0] ?? "",
      ageOf: age.of,
      kept: [...new Set(reasons)].map((reason) => ({ reason, rows: reasons.filter((one) => one === reason).length })),
      statement: statementOf(ref, rule, walk),
    };
  });
}

function look(session: Session, ref: OutboxRef, rule: RetentionRule, walk: Walk) {
  const age = requireAge(ref);
  const outbox = outboxTable(ref.mapping);
  const { table, rows } = outbox;
  const order = sql.join(orderBy(walk), sql`, `);
  const source = walk.windowed
    ? sql`(SELECT ${rows}.* FROM ${table} ${rows} ORDER BY ${order} LIMIT ${LOOKED_AT}) ${rows}`
    : sql`${table} ${rows}`;
  return session.rows(
    sql`SELECT ${messageId(outbox)}, ${bytesOf(ref)}, ${instantText(instantOf(outbox, age.column))} FROM ${source}
     WHERE ${isRemovable(ref, rule, age)} ORDER BY ${order} LIMIT ${CAP + 1}`,
  );
}

/** The statement of one batch as people read it; the batch itself locks, judges and deletes in three statements. */
function statementOf(ref: OutboxRef, rule: RetentionRule, walk: Walk): string {
  const { table, rows } = outboxTable(ref.mapping);
  const text = toText(
    sql`DELETE FROM ${table} ${rows} WHERE ${isRemovable(ref, rule, requireAge(ref))} ORDER BY ${sql.join(orderBy(walk), sql`, `)} LIMIT ${BATCH}`.inlineParams() as SQL,
  );
  return rule.how === "archive" ? `-- after the same rows were copied into the archive\n${text};` : `${text};`;
}
