import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { AgeColumn } from "#db/stores/shared/retention/age-column.ts";
import type { Walk } from "#db/stores/shared/retention/walk.ts";
import type { Session } from "../connection/session.ts";
import { tableIndexes } from "../plans/table-indexes.ts";
import { keyText } from "../tables/column-values.ts";
import { quoteTable } from "../tables/mapping-sql.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/** Up to this many rows a sort costs less than an index. */
export const SMALL_ROWS = 50_000;

/** Null if the table is too large to sort and no index has its rows from the oldest to the newest. */
export async function chooseWalk(session: Session, ref: OutboxRef, { column }: AgeColumn): Promise<Walk | null> {
  const { mapping } = ref;
  const indexes = await tableIndexes(session, mapping.table);
  const leading = new Set(
    indexes.flatMap(({ columns: [first] }) => (first && !first.cut && !first.descending ? [first.name] : [])),
  );
  if (leading.has(column.name) || ref.estimatedRows < SMALL_ROWS) return walkBy(ref, [column], false);
  const { createdAt, order } = mapping.columns;
  const rising = [createdAt, order].find((one) => one !== undefined && leading.has(one.name));
  if (rising) return walkBy(ref, [rising], true);
  const [key] = mapping.primaryKey;
  return key && /^(big)?int/.test(key.type) ? walkBy(ref, [], true) : null;
}

/** The statement for an index by which old rows are found. */
export function indexSql(
  { mapping }: { mapping: Pick<OutboxRef["mapping"], "table"> },
  { column }: Pick<AgeColumn, "column">,
): string {
  return `ALTER TABLE ${quoteTable(mapping.table)} ADD INDEX (\`${column.name}\`), ALGORITHM = INPLACE, LOCK = NONE;`;
}

function walkBy({ mapping }: OutboxRef, first: readonly MappedColumn[], windowed: boolean): Walk {
  const outbox = outboxTable(mapping);
  const named = new Map([...first, ...mapping.primaryKey].map((column) => [column.name, column]));
  const keys = [...named.values()].map((column) => ({
    value: outbox.column(column),
    text: keyText(outbox, column),
    type: column.type,
  }));
  return { keys, descending: false, windowed };
}
