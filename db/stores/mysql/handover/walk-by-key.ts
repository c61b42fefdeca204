import { sql } from "drizzle-orm";
import { type Keyset, orderBy } from "#db/stores/shared/read/keyset.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import { toText } from "../connection/dialect.ts";
import { afterCursor } from "../tables/keyset.ts";
import { columnSql, keyText } from "../tables/mapping-sql.ts";

function walkOf({ primaryKey }: OutboxMapping): Keyset {
  const keys = primaryKey.map((column) => ({
    value: sql.raw(columnSql(column, "o")),
    text: sql.raw(keyText(column, "o")),
    type: column.type,
  }));
  return { keys, descending: false };
}

/** SQL over row `o`: its key comes after that of a row, in the columns of an `idReader`. */
export function afterKey(mapping: OutboxMapping, row: readonly (string | null)[]): string {
  return toText(
    afterCursor(
      walkOf(mapping),
      row.map((text) => text ?? ""),
    ),
  );
}

export function keyOrder(mapping: OutboxMapping): string {
  return orderBy(walkOf(mapping)).map(toText).join(", ");
}
