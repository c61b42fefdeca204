import type { CatalogTable, ColumnValues } from "../../stores/port/catalog.ts";
import { bitColumns } from "./bit-columns.ts";
import { LOOK, withoutLook, withValues } from "./column-values.ts";
import { epochColumns, withEpochUnit, withTimes } from "./epoch-columns.ts";
import { countedColumns, withFewer } from "./fewer-attempts.ts";
import { type CodeList, labelledColumns, withLabels } from "./labelled-columns.ts";
import { statusColumns } from "./status-columns.ts";
import { type DoneColumn, doneColumns, withUnset } from "./unset-times.ts";

/**
 * A look at a column: at its words, at how many digits its numbers have, or at values of a mark that mean "not yet".
 */
export interface Look {
  table: CatalogTable;
  column: string;
  what: "words" | "digits" | "labels" | "fewer" | DoneColumn["of"];
  /** For labels: where they are. */
  list?: CodeList;
  /** For fewer: than this number. */
  from?: number;
  /** The table with what was found. */
  apply: (table: CatalogTable, values: ColumnValues) => CatalogTable;
}

/**
 * What looks have found, for readings of the catalog that have no time for one, as on a busy database: what a table is
 * said to mean does not change with how busy it is.
 */
export class LookMemory {
  readonly #found = new Map<string, ColumnValues>();
  /** Looks in a row that found nothing in time, by column. */
  readonly #inVain = new Map<string, number>();
  /** Columns in the order of their last looks. */
  readonly #tried = new Set<string>();

  /** Null: nothing was found in time. */
  keep(look: Look, values: ColumnValues | null): void {
    const key = keyOf(look);
    this.#tried.delete(key);
    this.#tried.add(key);
    if (values === null) {
      this.#inVain.set(key, (this.#inVain.get(key) ?? 0) + 1);
      return;
    }
    this.#found.set(key, values);
    this.#inVain.delete(key);
  }

  /** Time of a look, ms: longer each time while nothing is known of the column. */
  timeoutMs(look: Look): number {
    const key = keyOf(look);
    if (this.#found.has(key)) return LOOK.timeoutMs;
    return Math.min(LOOK.timeoutMs * 2 ** (this.#inVain.get(key) ?? 0), LOOK.mostTimeoutMs);
  }

  valuesOf(look: Look): ColumnValues | null {
    return this.#found.get(keyOf(look)) ?? null;
  }

  /**
   * What was never looked at first, then what was longest ago: a look that takes all the time is not the first of the
   * next reading.
   */
  inTurn(looks: readonly Look[]): Look[] {
    const places = new Map([...this.#tried].map((key, place) => [key, place]));
    const placeOf = (look: Look) => places.get(keyOf(look)) ?? -1;
    return looks.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function keyOf({ table: { schema, name, columns }, column, what }: Look): string {
  const type = columns.find((one) => one.name === column)?.type;
  return JSON.stringify([schema, name, column, type, what]);
}

function looksOf(tables: readonly CatalogTable[]): Look[] {
  return [
    ...statusColumns(tables).map(({ table, column }) => ({
      ...{ table, column, what: "words" as const },
      apply: (to: CatalogTable, { words, nulls }: ColumnValues) =>
        withTimes(to, column, words) ?? withValues(to, column, { words, nulls }),
    })),
    ...bitColumns(tables).map(({ table, column }) => ({
      ...{ table, column, what: "words" as const },
      apply: (to: CatalogTable, { words, nulls }: ColumnValues) => withValues(to, column, { words, nulls }),
    })),
    ...epochColumns(tables).map(({ table, column }) => ({
      ...{ table, column, what: "digits" as const },
      apply: (to: CatalogTable, { words }: ColumnValues) => withEpochUnit(to, column, words.map(Number)),
    })),
    ...labelledColumns(tables).map(({ table, column, list }) => ({
      ...{ table, column, list, what: "labels" as const },
      apply: (to: CatalogTable, values: ColumnValues) => withLabels(to, column, values),
    })),
    ...doneColumns(tables).map((done) => ({
      ...{ table: done.table, column: done.column, what: done.of },
      apply: (to: CatalogTable, { words }: ColumnValues) => withUnset({ ...done, table: to }, words),
    })),
    ...countedColumns(tables).map(({ table, column, from }) => ({
      ...{ table, column, from, what: "fewer" as const },
      apply: (to: CatalogTable, { words }: ColumnValues) => withFewer(to, column, words),
    })),
  ];
}

/**
 * Adds the values of status columns that no type and no CHECK lists, the units of numbers that are times, and values of
 * marks that mean "not yet". `find` reads some of a column's values within its time, ms; null if it may not, or not in
 * time. Notes what was never found.
 */
export async function lookAtValues(
  tables: readonly CatalogTable[],
  memory: LookMemory,
  find: (look: Look, timeoutMs: number) => Promise<ColumnValues | null>,
): Promise<CatalogTable[]> {
  const endMs = performance.now() + LOOK.totalMs;
  const looks = looksOf(tables);
  for (const look of memory.inTurn(looks)) {
    if (performance.now() >= endMs) break;
    memory.keep(look, await find(look, memory.timeoutMs(look)));
  }
  const found = [...tables];
  for (const look of looks) {
    const place = tables.indexOf(look.table);
    const table = found[place] ?? look.table;
    const values = memory.valuesOf(look);
    found[place] = values ? look.apply(table, values) : withoutLook(table, look.column);
  }
  return found;
}
