import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openPostgresStore } from "#db/stores/postgres/open-postgres-store.ts";
import { testDatabase } from "#tests/postgres.ts";
import { recogniseInbox } from "../inbox/recognise-inbox.ts";
import { readLooked } from "../looked-catalog.fixture.ts";
import { dotnetInboxCases } from "./dotnet/dotnet-inbox-cases.fixture.ts";
import { jvmInboxCases } from "./jvm/jvm-inbox-cases.fixture.ts";

const CASES = [...dotnetInboxCases, ...jvmInboxCases];

describe("inboxes of libraries", () => {
  const database = testDatabase();

  test.each(CASES.map((one) => [one.slug, one] as const))("%s", async (slug, { columns, table, rows }) => {
    const { url, pool } = database();
    await pool.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE ${table} (${columns})`);
    for (const [, values] of rows)
      await pool.query(`INSERT INTO ${table} VALUES (${values.replaceAll("{id}", () => randomUUID())})`);
    const store = openPostgresStore({ name: "shop", url, applicationName: "outbox-console test" });
    try {
      const [found] = await readLooked(store);
      const mapping = found && recogniseInbox(found);
      if (!mapping) throw new Error(`${table} was not taken for an inbox.`);
      expect(mapping.shape).toBe(slug);
      const inbox = store.inbox("inbox", mapping);
      const page = await inbox.list({ filter: { state: "all" }, limit: 100 });
      expect(page.rows.map(({ state }) => state).sort()).toEqual(rows.map(([state]) => state).sort());
      for (const state of ["processed", "unprocessed", "failed"] as const) {
        const expected = rows.filter(([wanted]) => wanted === state).length;
        const listed = await inbox.list({ filter: { state }, limit: 100 });
        expect(listed.rows, state).toHaveLength(expected);
      }
      const { unprocessed, failed } = await inbox.figures();
      const count = (wanted: string) => rows.filter(([state]) => state === wanted).length;
      expect({ unprocessed: unprocessed.value, failed: failed.value }).toEqual({
        unprocessed: count("unprocessed"),
        failed: count("failed"),
      });
    } finally {
      await store.close();
    }
  });
});
