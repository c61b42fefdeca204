import { beforeEach, expect, test } from "vitest";
import { columnsOfCondition } from "#db/stores/port/table-rules.ts";
import { readCatalog } from "#db/stores/postgres/catalog/read-catalog.ts";
import { testDatabase } from "#tests/postgres.ts";
import { columnNamed, findLibrary } from "../find-library.ts";
import { goCases } from "./go/go-cases.ts";
import type { LibraryTable } from "./library-table-type.ts";
import { LIBRARY_TABLES } from "./library-tables.ts";
import { nodeCases } from "./node/node-cases.ts";
import { otherCases } from "./other/other-cases.ts";
import { phpCases } from "./php/php-cases.ts";
import { pythonCases } from "./python/python-cases.ts";
import { rubyCases } from "./ruby/ruby-cases.ts";

const CASES = [...goCases, ...nodeCases, ...otherCases, ...phpCases, ...pythonCases, ...rubyCases].filter(
  ({ ddl }) => ddl.postgres !== undefined,
);
const database = testDatabase();
beforeEach(() => database().pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public"));

test("slugs are unique", () => {
  const slugs = LIBRARY_TABLES.map(({ slug }) => slug);
  expect(new Set(slugs).size).toBe(slugs.length);
});

test.each(CASES.map((one) => [one.slug, one] as const))(
  "%s has no table that another library claims",
  async (slug, one) => {
    await database().pool.query(one.ddl.postgres ?? "");
    const tables = (await readCatalog(database().pool, undefined)).filter(({ schema }) => schema === "public");
    const library = LIBRARY_TABLES.find((known) => known.slug === slug)?.library;
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) {
      const found = findLibrary(table);
      expect(found, table.name).toMatchObject({ byName: true, known: { library } });
      const columns = found ? inboxColumns(found.known) : [];
      expect(
        columns.filter((column) => !columnNamed(table, column)),
        table.name,
      ).toEqual([]);
    }
  },
);

/** Columns without which an inbox cannot be read. */
function inboxColumns({ kind }: LibraryTable): string[] {
  if (kind.role !== "inbox") return [];
  const conditions = [kind.processed, kind.failed].filter((one) => one !== null && one !== undefined);
  return [...Object.values(kind.columns), ...conditions.flatMap(columnsOfCondition)];
}
