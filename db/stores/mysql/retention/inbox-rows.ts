import { type SQL, sql } from "drizzle-orm";
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
import type { Session } from "../connection/session.ts";
import { sizeOf } from "../plans/table-access.ts";
import { tableIndexes } from "../plans/table-indexes.ts";
import { encodeInstant, instantOf, instantText, keyText } from "../tables/column-values.ts";
import { afterCursor, cursorOf } from "../tables/keyset.ts";
import { keyMatch } from "../tables/message-key.ts";
import { inboxTable } from "../tables/outbox-table.ts";
import { readEngine } from "../tables/require-transactions.ts";
import { statesOfInbox } from "../tables/states/inbox-state.ts";
import { indexSql, SMALL_ROWS } from "./choose-walk.ts";
import { boundOf } from "./removable.ts";
import { whyRowsCannotGo } from "./why-rows-stay.ts";

const CAP = 10_000;
/** What a row takes besides its values, about. */
const ROW_BYTES = 100;

/** Sentence: why no row may be removed; null if they may. */
export async function whyInboxRowsStay(session: Session, mapping: InboxMapping): Promise<string | null> {
  const byMapping = whyInboxStays(mapping);
  const age = inboxAge(mapping);
  if (byMapping !== null || !age) return byMapping;
  const engine = await readEngine(session, mapping.table);
  if (engine !== null && engine !== "InnoDB")
    return `The table uses the engine ${engine}, which has no transactions: an interrupted batch could lose rows. Change it to InnoDB.`;
  const clause = await whyRowsCannotGo(session, mapping);
  if (clause !== null) return `Rows cannot leave this table: ${clause}.`;
  const indexes = await tableIndexes(session, mapping.table);
  const leads = indexes.some(
    ({ columns: [first] }) => first && !first.cut && !first.descending && first.name === age.column.name,
  );
  if (leads || (await sizeOf(session, { mapping })).rows < SMALL_ROWS) return null;
  return `No index leads to the oldest rows of this table, so each look for them would read all of it. Create one as the table's owner: ${indexSql({ mapping }, age)}`;
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
    text: keyText(inbox, one),
    type: one.type,
  }));
  return { keys, descending: false };
}

/** What a run would remove now. Changes nothing. Throws wrong_state with the reason why nothing may go. */
export async function previewInbox(
  session: Session,
  mapping: InboxMapping,
  keepSeconds: number,
): Promise<InboxRetentionPreview> {
  const no = await whyInboxRowsStay(session, mapping);
  if (no !== null) throw new AppError("wrong_state", no);
  const inbox = inboxTable(mapping);
  const age = requireInboxAge(mapping);
  const order = sql.join(orderBy(walkOf(mapping)), sql`, `);
  const found = await session.rows(
    sql`SELECT COALESCE(${isRemovable(mapping, keepSeconds)}, FALSE), ${instantText(instantOf(inbox, age.column))}
      FROM ${inbox.table} ${inbox.rows} WHERE ${isOld(mapping, keepSeconds)} ORDER BY ${order} LIMIT ${CAP + 1}`,
  );
  const [bound] = await session.rows(sql`SELECT ${instantText(boundOf(keepSeconds))}`);
  const free = found.filter(([isFree]) => isFree === "1");
  const ages = free.flatMap(([, at]) => (at ? [at] : [])).sort();
  const stay = found.length - free.length;
  return {
    rows: { value: Math.min(free.length, CAP), precision: found.length > CAP ? "capped" : "exact" },
    bytes: free.length * (await rowBytes(session, mapping)),
    oldestAt: ages[0] ?? null,
    newestAt: ages.at(-1) ?? null,
    boundAt: bound?.[0] ?? "",
    ageOf: age.of,
    onlyProcessed: marksProcessed(mapping),
    kept: stay > 0 ? [{ reason: KEPT_IN_INBOX, rows: stay }] : [],
    statement: `${toText(statementOf(mapping, keepSeconds).inlineParams() as SQL)};`,
  };
}

/** The statement as shown to people; a batch locks and deletes in two statements. */
function statementOf(mapping: InboxMapping, keepSeconds: number): SQL {
  const { table, rows } = inboxTable(mapping);
  return sql`DELETE FROM ${table} ${rows} WHERE ${isRemovable(mapping, keepSeconds)} ORDER BY ${sql.join(orderBy(walkOf(mapping)), sql`, `)} LIMIT 1000`;
}

/** Approximate bytes of a row, by the server's statistics. */
async function rowBytes(session: Session, mapping: InboxMapping): Promise<number> {
  const { rows, bytes } = await sizeOf(session, { mapping });
  return rows > 0 ? Math.max(ROW_BYTES, Math.round(bytes / rows)) : ROW_BYTES;
}

/**
 * Removes one batch; the caller counts it in the same transaction. Race: a row is locked before it is deleted under the
 * same condition; a delete that finds another number of rows throws, and nothing is removed.
 */
export async function removeInboxRows(
  session: Session,
  mapping: InboxMapping,
  { keepSeconds, request }: { keepSeconds: number; request: RemoveRequest },
): Promise<RemovedRows> {
  const inbox = inboxTable(mapping);
  const walk = walkOf(mapping);
  const after = request.after === null ? null : (JSON.parse(request.after) as string[]);
  const wanted = all(isRemovable(mapping, keepSeconds), ...(after ? [afterCursor(walk, after)] : []));
  const keys = mapping.primaryKey.map((column) => keyText(inbox, column));
  const found = await session.rows(
    sql`SELECT ${cursorOf(walk)}, ${sql.join(keys, sql`, `)} FROM ${inbox.table} ${inbox.rows} WHERE ${wanted}
      ORDER BY ${sql.join(orderBy(walk), sql`, `)} LIMIT ${request.limit} FOR UPDATE SKIP LOCKED`,
  );
  if (found.length > 0) {
    const texts = found.map(([, ...key]) => key.map((text) => text ?? ""));
    const byKey = keyMatch({ mapping, column: inbox.column }, keyParameters(texts, keys.length));
    const { affectedRows } = await session.run(
      sql`DELETE ${inbox.rows} FROM ${inbox.table} ${inbox.rows} WHERE ${byKey} AND ${isRemovable(mapping, keepSeconds)}`,
    );
    if (affectedRows !== found.length)
      throw new AppError(
        "conflict",
        `${found.length} rows were to go and the delete found ${affectedRows}: nothing was removed.`,
      );
  }
  const bytes = found.length * (await rowBytes(session, mapping));
  const last = found.length >= request.limit ? found.at(-1)?.[0] : undefined;
  return { rows: found.length, bytes, kept: [], next: last ?? null };
}
