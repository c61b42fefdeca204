import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { InboxRetentionPreview } from "#db/stores/port/inbox-retention.ts";
import type { RemovedRows, RemoveRequest } from "#db/stores/port/retention.ts";
import { type Keyset, orderBy } from "#db/stores/shared/read/keyset.ts";
import {
  inboxAge,
  KEPT_IN_INBOX,
  marksProcessed,
  requireInboxAge,
  whyInboxStays,
} from "#db/stores/shared/retention/inbox-retention.ts";
import { all, isNotTrue } from "#db/stores/shared/states/conditions.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { AppError } from "#domain/errors.ts";
import { toText } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { encodeInstant, instantOf, instantText, keyText } from "../tables/column-values.ts";
import { afterCursor, cursorOf } from "../tables/keyset.ts";
import { arrayParameters, keyMatch } from "../tables/message-key.ts";
import { inboxTable, regclass } from "../tables/outbox-table.ts";
import { statesOfInbox } from "../tables/states/inbox-state.ts";
import { indexSql, leadingColumns, SMALL_ROWS } from "./choose-walk.ts";
import { boundOf } from "./removable.ts";
import { whyRowsCannotGo } from "./why-rows-stay.ts";

const CAP = 10_000;
/** No row takes less, so that a table that was never analysed has at most so many as its size says. */
const LEAST_ROW_BYTES = 40;

/** Sentence: why no row may be removed; null if they may. */
export async function whyInboxRowsStay(client: PoolClient, mapping: InboxMapping): Promise<string | null> {
  const byMapping = whyInboxStays(mapping);
  const age = inboxAge(mapping);
  if (byMapping !== null || !age) return byMapping;
  const clause = await whyRowsCannotGo(client, mapping);
  if (clause !== null) return clause;
  if ((await leadingColumns(client, { mapping }, age.column)).has(age.column.name)) return null;
  const [size] = (
    await queryOn(client).execute<{ rows: number; partitioned: boolean }>(
      sql`SELECT CASE WHEN reltuples >= 0 THEN reltuples ELSE pg_relation_size(oid) / ${sql.raw(String(LEAST_ROW_BYTES))} END::float8 AS rows, relkind = 'p' AS partitioned FROM pg_class WHERE oid = ${regclass(mapping.table)}`,
    )
  ).rows;
  if (size && !size.partitioned && size.rows < SMALL_ROWS) return null;
  return `No index leads to the oldest rows of this table, so each look for them would read all of it. Create one as the table's owner: ${indexSql({ mapping, partitioned: size?.partitioned ?? false }, age)}`;
}

const isOld = (mapping: InboxMapping, keepSeconds: number): SQL => {
  const { column } = requireInboxAge(mapping);
  return sql`${inboxTable(mapping).column(column)} < ${encodeInstant(column, boundOf(keepSeconds))}`;
};

function isRemovable(mapping: InboxMapping, keepSeconds: number): SQL {
  const { processed, failed } = statesOfInbox(mapping);
  return all(marksProcessed(mapping) ? processed : isNotTrue(failed), isOld(mapping, keepSeconds));
}

function walkOf(mapping: InboxMapping): Keyset {
  const inbox = inboxTable(mapping);
  const { column } = requireInboxAge(mapping);
  const named = new Map([column, ...mapping.primaryKey].map((one) => [one.name, one]));
  const keys = [...named.values()].map((one) => ({
    value: inbox.column(one),
    text: keyText(inbox, one) as SQL,
    type: one.type,
  }));
  return { keys, descending: false };
}

/**
 * The rows that a run would remove now. Changes nothing. Throws wrong_state with the reason if nothing may be removed.
 */
export async function previewInbox(
  client: PoolClient,
  mapping: InboxMapping,
  keepSeconds: number,
): Promise<InboxRetentionPreview> {
  const no = await whyInboxRowsStay(client, mapping);
  if (no !== null) throw new AppError("wrong_state", no);
  const inbox = inboxTable(mapping);
  const age = requireInboxAge(mapping);
  const at = (which: "min" | "max") => instantText(sql`${sql.raw(which)}(found.at)`);
  const bound = instantText(boundOf(keepSeconds));
  const order = sql.join(orderBy(walkOf(mapping)), sql`, `);
  const { rows: groups } = await queryOn(client).execute<Counted>(
    sql`SELECT found.free, count(*)::int AS rows, coalesce(sum(found.bytes), 0)::float8 AS bytes, ${at("min")} AS "oldestAt", ${at("max")} AS "newestAt"
      FROM (SELECT coalesce(${isRemovable(mapping, keepSeconds)}, false) AS free, pg_column_size(${inbox.rows}.*) AS bytes,
          ${instantOf(inbox, age.column)} AS at
        FROM ${inbox.table} ${inbox.rows} WHERE ${isOld(mapping, keepSeconds)} ORDER BY ${order} LIMIT ${CAP + 1}) found GROUP BY found.free`,
  );
  const clock = await queryOn(client).execute<{ at: string }>(sql`SELECT ${bound} AS at`);
  const free = groups.find((group) => group.free);
  const stay = groups.find((group) => !group.free);
  const seen = groups.reduce((sum, { rows }) => sum + rows, 0);
  return {
    rows: { value: Math.min(free?.rows ?? 0, CAP), precision: seen > CAP ? "capped" : "exact" },
    bytes: free?.bytes ?? 0,
    oldestAt: free?.oldestAt ?? null,
    newestAt: free?.newestAt ?? null,
    boundAt: clock.rows[0]?.at ?? "",
    ageOf: age.of,
    onlyProcessed: marksProcessed(mapping),
    kept: stay ? [{ reason: KEPT_IN_INBOX, rows: stay.rows }] : [],
    statement: `${toText(statementOf(mapping, keepSeconds).inlineParams())};`,
  };
}

interface Counted extends Record<string, unknown> {
  free: boolean;
  rows: number;
  bytes: number;
  oldestAt: string | null;
  newestAt: string | null;
}

/** As people read it; a batch locks and deletes in two statements. */
function statementOf(mapping: InboxMapping, keepSeconds: number): SQL {
  const { table, rows } = inboxTable(mapping);
  const key = sql.join(
    mapping.primaryKey.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  return sql`DELETE FROM ${table} WHERE (${key}) IN (
  SELECT ${key} FROM ${table} ${rows}
  WHERE ${isRemovable(mapping, keepSeconds)}
  ORDER BY ${sql.join(orderBy(walkOf(mapping)), sql`, `)} LIMIT 1000 FOR UPDATE SKIP LOCKED
)`;
}

interface Found extends Record<string, unknown> {
  key: string[];
  cursor: string[];
  bytes: number;
}

/**
 * Removes one batch; the caller counts it in the same transaction. Race: a row is locked before it is deleted under the
 * same condition; a delete that finds another number of rows throws, and nothing is removed.
 */
export async function removeInboxRows(
  client: PoolClient,
  mapping: InboxMapping,
  { keepSeconds, request }: { keepSeconds: number; request: RemoveRequest },
): Promise<RemovedRows> {
  const inbox = inboxTable(mapping);
  const walk = walkOf(mapping);
  const after = request.after === null ? null : (JSON.parse(request.after) as string[]);
  const wanted = all(isRemovable(mapping, keepSeconds), ...(after ? [afterCursor(walk, after)] : []));
  const keys = mapping.primaryKey.map((column) => keyText(inbox, column));
  const { rows: found } = await queryOn(client).execute<Found>(
    sql`SELECT ARRAY[${sql.join(keys, sql`, `)}]::text[] AS key, ${cursorOf(walk)} AS cursor, pg_column_size(${inbox.rows}.*) AS bytes
      FROM ${inbox.table} ${inbox.rows} WHERE ${wanted}
      ORDER BY ${sql.join(orderBy(walk), sql`, `)} LIMIT ${request.limit} FOR UPDATE OF ${inbox.rows} SKIP LOCKED`,
  );
  if (found.length > 0) {
    const byKey = keyMatch(
      { mapping, column: inbox.column },
      arrayParameters(
        keyParameters(
          found.map(({ key }) => key),
          keys.length,
        ),
      ),
    );
    const gone = await queryOn(client).execute(
      sql`DELETE FROM ${inbox.table} ${inbox.rows} WHERE ${byKey} AND ${isRemovable(mapping, keepSeconds)}`,
    );
    if (gone.rowCount !== found.length)
      throw new AppError(
        "conflict",
        `${found.length} rows were to go and the delete found ${gone.rowCount ?? 0}: nothing was removed.`,
      );
  }
  const last = found.length >= request.limit ? found.at(-1) : undefined;
  const bytes = found.reduce((sum, one) => sum + one.bytes, 0);
  return { rows: found.length, bytes, kept: [], next: last ? JSON.stringify(last.cursor) : null };
}
