import { beforeEach, expect } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { readCatalog } from "../stores/postgres/catalog/read-catalog.ts";
import { recogniseInbox } from "./inbox/recognise-inbox.ts";
import { looksLikeOutbox, recogniseOutbox } from "./recognise.ts";

/** Discovery in a database that is empty before each test; one for all tests of a file. */
export function discovery() {
  const database = testDatabase("empty");
  beforeEach(async () => {
    await database().pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  });

  const catalogOf = async (ddl: string) => {
    await database().pool.query(ddl);
    return readCatalog(database().pool, undefined);
  };

  /** Every table of the DDL as discovery returns it. */
  const discover = async (ddl: string) => {
    const tables = await catalogOf(ddl);
    const inboxes = tables.flatMap((table) => recogniseInbox(table) ?? []);
    const isInbox = (name: string) => inboxes.some((inbox) => inbox.table.name === name);
    const outboxes = tables
      .filter((table) => !isInbox(table.name) && looksLikeOutbox(table))
      .map((table) => {
        const recognised = recogniseOutbox(table, tables);
        if ("problem" in recognised) throw new Error(recognised.problem);
        return recognised;
      });
    return { outboxes, inboxes };
  };

  /** The only outbox of the DDL, with the names of its columns by role and of its key. */
  const discoverOne = async (ddl: string) => {
    const { outboxes, inboxes } = await discover(ddl);
    expect(outboxes).toHaveLength(1);
    const [recognised] = outboxes;
    if (!recognised) throw new Error("no outbox was found");
    const { mapping } = recognised;
    const roles = Object.fromEntries(Object.entries(mapping.columns).map(([role, column]) => [role, column.name]));
    return { ...recognised, mapping, roles, inboxes, key: mapping.primaryKey.map((column) => column.name) };
  };
  return { catalogOf, discover, discoverOne };
}
