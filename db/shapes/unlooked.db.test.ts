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
import { CLAIMED_PREPARED_AND_SUPERSEDED } from "./hand-made/claims/postgres/errors/prepared-and-superseded.ts";
import { INBOXES_MISLEADING } from "./hand-made/claims/postgres/inboxes/misleading.ts";
import { INBOXES_REPOSITORIES } from "./hand-made/claims/postgres/inboxes/repositories.ts";
import { STATED_INBOXES } from "./hand-made/claims/postgres/inboxes/stated-inboxes.ts";
import { INBOXES_TEAMS } from "./hand-made/claims/postgres/inboxes/teams.ts";
import { CLAIMED_HELD_ROWS } from "./hand-made/claims/postgres/kept-back/held-rows.ts";
import { CLAIMED_COMBINED_MARKS } from "./hand-made/claims/postgres/marks/combined-marks.ts";
import { CLAIMED_LOOKALIKES } from "./hand-made/claims/postgres/marks/lookalikes.ts";
import { CLAIMED_PLAINER_THAN_THEY_ARE } from "./hand-made/claims/postgres/marks/plainer-than-they-are.ts";
import { CLAIMED_REPOSITORIES } from "./hand-made/claims/postgres/teams/repositories.ts";
import { CLAIMED_REPOSITORIES_IN_LANGUAGES } from "./hand-made/claims/postgres/teams/repositories-in-languages.ts";
import { CLAIMED_TEAMS } from "./hand-made/claims/postgres/teams/teams.ts";
import { CLAIMED_DEFAULTS } from "./hand-made/claims/postgres/times/defaults.ts";
import { CLAIMED_LIMITS } from "./hand-made/claims/postgres/times/limits.ts";
import { CLAIMED_TIMES_AS_NUMBERS } from "./hand-made/claims/postgres/times/times-as-numbers.ts";
import { CLAIMED_WRITTEN_AFTER_RULES } from "./hand-made/claims/postgres/written-after-rules.ts";
import { STATED_BY_FLAG } from "./hand-made/states/by-flag.ts";
import { STATED_BY_STATUS } from "./hand-made/states/by-status.ts";
import { STATED_BY_TIME } from "./hand-made/states/by-time.ts";
import { emptyScore, scoreInbox, scoreOutbox } from "./hand-made/states/state-score.fixture.ts";
import type { StatedTable } from "./hand-made/states/stated-table.ts";

/** That a program writes the year 1 for "not yet" is known from a look alone. */
const YEAR_ONE = /0001-01-01/;

const OUTBOXES = (
  [
    ...[
      CLAIMED_TEAMS,
      CLAIMED_COMBINED_MARKS,
      CLAIMED_TIMES_AS_NUMBERS,
      CLAIMED_HELD_ROWS,
      CLAIMED_WRITTEN_AFTER_RULES,
    ].flat(),
    ...[
      CLAIMED_REPOSITORIES,
      CLAIMED_REPOSITORIES_IN_LANGUAGES,
      CLAIMED_PLAINER_THAN_THEY_ARE,
      CLAIMED_LOOKALIKES,
    ].flat(),
    ...[CLAIMED_DEFAULTS, CLAIMED_PREPARED_AND_SUPERSEDED, CLAIMED_LIMITS].flat(),
    ...[STATED_BY_TIME, STATED_BY_STATUS, STATED_BY_FLAG].flat(),
  ] satisfies readonly StatedTable[]
).filter(({ insert }) => !YEAR_ONE.test(insert));
const INBOXES = [INBOXES_TEAMS, INBOXES_REPOSITORIES, INBOXES_MISLEADING, STATED_INBOXES].flat();

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
