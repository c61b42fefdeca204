import { beforeAll, describe, expect, test } from "vitest";
import { openPostgresStore } from "#db/stores/postgres/open-postgres-store.ts";
import { testDatabase } from "#tests/postgres.ts";
import { findLibrary } from "../find-library.ts";
import { readLooked } from "../looked-catalog.fixture.ts";
import { cdcCases } from "./cdc/cdc-cases.fixture.ts";
import { dotnetCases } from "./dotnet/dotnet-cases.fixture.ts";
import { jvmCases } from "./jvm/jvm-cases.fixture.ts";
import type { LibraryCase } from "./library-case.fixture.ts";
import { LIBRARY_TABLES } from "./library-tables.ts";

const CASES = [...cdcCases, ...dotnetCases, ...jvmCases].filter(({ ddl }) => ddl.postgres !== undefined);

describe("libraries are told apart", () => {
  const database = testDatabase();
  const found = new Map<LibraryCase, [string, string | undefined][]>();

  beforeAll(async () => {
    const { url, pool } = database();
    const store = openPostgresStore({ name: "shop", url, applicationName: "outbox-console test" });
    for (const one of CASES) {
      await pool.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${one.ddl.postgres}`);
      const tables = await readLooked(store);
      const slugs = tables.map((table): [string, string | undefined] => [table.name, findLibrary(table)?.known.slug]);
      found.set(one, slugs);
    }
    await store.close();
  });

  test.each(CASES.map((one) => [one.slug, one] as const))("%s and the tables beside it", (slug, one) => {
    const slugs = Object.fromEntries(found.get(one) ?? []);
    expect(slugs).toMatchObject({ [one.table.replaceAll('"', "")]: slug, ...one.beside });
    expect(Object.values(slugs)).not.toContain(undefined);
  });

  test("every slug is one table's alone", () => {
    expect(new Set(LIBRARY_TABLES.map(({ slug }) => slug)).size).toBe(LIBRARY_TABLES.length);
  });
});
