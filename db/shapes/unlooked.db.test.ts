import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "#tests/postgres.ts";
import type { CatalogTable } from "../stores/port/catalog.ts";
import { readCatalog } from "../stores/postgres/catalog/read-catalog.ts";
import { openPostgresStore } from "../stores/postgres/open-postgres-store.ts";
import { withoutLook } from "./columns/column-values.ts";
import { epochColumns } from "./columns/epoch-columns.ts";
import { statusColumns } from "./columns/status-columns.ts";
import { doneColumns } from "./columns/unset-times.ts";
import { CLAIMED_BY_DEFAULTS } from "./hand-made/claims/by-defaults.ts";
import { CLAIMED_BY_DOUBTS } from "./hand-made/claims/by-doubts.ts";
import { CLAIMED_BY_HOLDS } from "./hand-made/claims/by-holds.ts";
import { CLAIMED_BY_TEAMS } from "./hand-made/claims/by-language.ts";
import { CLAIMED_BY_LIMITS } from "./hand-made/claims/by-limits.ts";
import { CLAIMED_BY_LOOKALIKES } from "./hand-made/claims/by-lookalikes.ts";
import { CLAIMED_BY_MARKS } from "./hand-made/claims/by-marks.ts";
import { CLAIMED_BY_OUTSIDERS } from "./hand-made/claims/by-outsiders.ts";
import { CLAIMED_BY_STRANGERS } from "./hand-made/claims/by-strangers.ts";
import { CLAIMED_BY_TIMES } from "./hand-made/claims/by-times.ts";
import { CLAIMED_IN_MORE_REPOSITORIES } from "./hand-made/claims/in-more-repositories.ts";
import { CLAIMED_IN_REPOSITORIES } from "./hand-made/claims/in-repositories.ts";
import { MORE_STATED_INBOXES } from "./hand-made/inboxes/by-language.ts";
import { INBOXES_BY_OUTSIDERS } from "./hand-made/inboxes/by-outsiders.ts";
import { INBOXES_IN_REPOSITORIES } from "./hand-made/inboxes/in-repositories.ts";
import { STATED_INBOXES } from "./hand-made/inboxes/stated-inboxes.ts";
import { STATED_BY_FLAG } from "./hand-made/states/by-flag.ts";
import { STATED_BY_STATUS } from "./hand-made/states/by-status.ts";
import { STATED_BY_TIME } from "./hand-made/states/by-time.ts";
import { emptyScore, scoreInbox, scoreOutbox } from "./hand-made/states/state-score.fixture.ts";
import type { StatedTable } from "./hand-made/states/stated-table.ts";

/** That a program writes the year 1 for "not yet" is known from a look alone. */
const YEAR_ONE = /0001-01-01/;

const OUTBOXES = (
  [
    ...[CLAIMED_BY_TEAMS, CLAIMED_BY_MARKS, CLAIMED_BY_TIMES, CLAIMED_BY_HOLDS, CLAIMED_BY_STRANGERS].flat(),
    ...[CLAIMED_IN_REPOSITORIES, CLAIMED_IN_MORE_REPOSITORIES, CLAIMED_BY_DOUBTS, CLAIMED_BY_LOOKALIKES].flat(),
    ...[CLAIMED_BY_DEFAULTS, CLAIMED_BY_OUTSIDERS, CLAIMED_BY_LIMITS].flat(),
    ...[STATED_BY_TIME, STATED_BY_STATUS, STATED_BY_FLAG].flat(),
  ] satisfies readonly StatedTable[]
).filter(({ insert }) => !YEAR_ONE.test(insert));
const INBOXES = [MORE_STATED_INBOXES, INBOXES_IN_REPOSITORIES, INBOXES_BY_OUTSIDERS, STATED_INBOXES].flat();

/** The catalog of a database that is too slow for a look at values. */
async function readUnlooked(url: string): Promise<CatalogTable[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const tables = await readCatalog(client, undefined);
    return tables.map((table) => {
      const looks = [...statusColumns([table]), ...epochColumns([table]), ...doneColumns([table])];
      return looks.reduce((cut, { column }) => withoutLook(cut, column), table);
    });
  } finally {
    await client.end();
  }
}

test.each([
  ["outboxes", OUTBOXES, scoreOutbox],
  ["inboxes", INBOXES, scoreInbox],
] as const)("%s whose values could not be looked at are in no false state", async (_, truths, add) => {
  const database = await createTestDatabase("empty");
  const scripts = truths.map(
    ({ ddl, insert }, n) =>
      `CREATE SCHEMA team_${n}; SET search_path TO team_${n}, public; ${ddl}; ${insert}; RESET search_path`,
  );
  for (const script of scripts) await database.pool.query(script);
  const catalog = await readUnlooked(database.url);
  const store = openPostgresStore({ name: "shop", url: database.url, applicationName: "test" });
  const score = emptyScore();
  for (const [n, truth] of truths.entries()) {
    const tables = catalog.filter(({ schema }) => schema === `team_${n}`);
    const named = /INSERT INTO "?(\w+)/.exec(truth.insert)?.[1] ?? "";
    const table = tables.find(({ name }) => name.toLowerCase() === named.toLowerCase());
    if (!table) throw new Error(`no table ${named}`);
    await add({ truth, table, tables, store, score });
  }
  await store.close();
  await database.drop();
  expect(score.states.wrong).toEqual([]);
  expect(score.states.right).toBeGreaterThan(0);
});
