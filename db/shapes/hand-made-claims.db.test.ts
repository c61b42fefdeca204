import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import type { CatalogTable } from "../stores/port/catalog.ts";
import type { Store } from "../stores/port/store.ts";
import { openPostgresStore } from "../stores/postgres/open-postgres-store.ts";
import { candidates } from "./candidates.ts";
import { emptyWrites, scoreWrites } from "./hand-made/claims/claim-score.fixture.ts";
import { CLAIMED_GROUPS } from "./hand-made/claims/postgres/claimed-groups.ts";
import { INBOXES_ANSWERS_AND_PLACEHOLDERS } from "./hand-made/claims/postgres/inboxes/answers-and-placeholders.ts";
import { INBOXES_CODES_AND_FLAGS } from "./hand-made/claims/postgres/inboxes/codes-and-flags.ts";
import { INBOXES_DENIED_AND_REPEATED } from "./hand-made/claims/postgres/inboxes/denied-and-repeated.ts";
import { INBOXES_FLAGS_AND_WORDS } from "./hand-made/claims/postgres/inboxes/flags-and-words.ts";
import { INBOXES_FORMS_OF_MARKS } from "./hand-made/claims/postgres/inboxes/forms-of-marks.ts";
import { INBOXES_FRAMEWORKS } from "./hand-made/claims/postgres/inboxes/frameworks.ts";
import { INBOXES_KEYS_AND_LEASES } from "./hand-made/claims/postgres/inboxes/keys-and-leases.ts";
import { INBOXES_LEFT_ERRORS_AND_NEEDS } from "./hand-made/claims/postgres/inboxes/left-errors-and-needs.ts";
import { INBOXES_MISLEADING } from "./hand-made/claims/postgres/inboxes/misleading.ts";
import { INBOXES_REPOSITORIES } from "./hand-made/claims/postgres/inboxes/repositories.ts";
import { INBOXES_RESULTS_AND_SENDERS } from "./hand-made/claims/postgres/inboxes/results-and-senders.ts";
import { INBOXES_TEAMS } from "./hand-made/claims/postgres/inboxes/teams.ts";
import { INBOXES_UNEXPLAINED_COLUMNS } from "./hand-made/claims/postgres/inboxes/unexplained-columns.ts";
import { INBOXES_ZERO_TIMES_AND_SUCCESS } from "./hand-made/claims/postgres/inboxes/zero-times-and-success.ts";
import { CLAIMED_TWO_TABLES } from "./hand-made/claims/postgres/two-tables.ts";
import { ASKED_BY_NAME } from "./hand-made/others/asked-by-name.ts";
import { ASKED_BY_FRAMEWORKS, OTHERS_BY_FRAMEWORKS } from "./hand-made/others/by-frameworks.ts";
import { ASKED_BY_TOOLS, OTHERS_BY_TOOLS } from "./hand-made/others/by-tools.ts";
import { ASKED_IN_REPOSITORIES, OTHERS_IN_REPOSITORIES } from "./hand-made/others/in-repositories.ts";
import { OTHERS_NEVER_ASKED_ABOUT } from "./hand-made/others/never-asked-about.ts";
import { emptyScore, scoreInbox, scoreOutbox } from "./hand-made/states/state-score.fixture.ts";
import { recogniseInbox } from "./inbox/recognise-inbox.ts";
import { expectExclusiveStates } from "./libraries/exclusive-states.fixture.ts";
import { readLooked } from "./looked-catalog.fixture.ts";
import { looksLikeOutbox, recogniseOutbox } from "./recognise.ts";

/** A schema for each, so that the catalog is read once. */
function inSchemas(scripts: readonly string[]) {
  const database = testDatabase();
  const within = (n: number, sql: string) => `SET search_path TO team_${n}, public; ${sql}; RESET search_path`;
  let store: Store;
  let catalog: readonly CatalogTable[];
  beforeAll(async () => {
    const all = scripts.map((sql, n) => `CREATE SCHEMA team_${n}; ${within(n, sql)}`);
    await database().pool.query(all.join("; "));
    store = openPostgresStore({ name: "shop", url: database().url, applicationName: "test" });
    catalog = await readLooked(store);
  });
  afterAll(() => store.close());
  return {
    store: () => store,
    tables: (n: number) => catalog.filter(({ schema }) => schema === `team_${n}`),
    rowsOf: async (sql: string) => (await database().pool.query(sql)).rows,
    /** The first column of the rows that the statements select. */
    query: async (n: number, sql: string): Promise<string[]> => {
      const text = within(n, sql.replaceAll("{now}", "clock_timestamp()"));
      const results = [await database().pool.query({ text, rowMode: "array" })].flat();
      const rows: unknown[][] = results.flatMap(({ command, rows: selected }) =>
        command === "SELECT" ? selected : [],
      );
      return rows.map(([key]) => String(key));
    },
  };
}

function namedIn(tables: readonly CatalogTable[], name: string): CatalogTable {
  const table = tables.find((one) => one.name === name);
  if (!table) throw new Error(`no table ${name}`);
  return table;
}

describe.each(CLAIMED_GROUPS)("outboxes by $by", ({ truths, ...least }) => {
  const { store, tables, query, rowsOf } = inSchemas(truths.map(({ ddl, insert }) => `${ddl}; ${insert}`));

  test("show every row truly, and write what their relays understand", async () => {
    const score = emptyScore();
    const writes = emptyWrites();
    for (const [n, truth] of truths.entries()) {
      const table = namedIn(tables(n), truth.name);
      await scoreOutbox({ truth, table, tables: tables(n), store: store(), score });
      const fill = () => query(n, `${truth.empties} RESTART IDENTITY CASCADE; ${truth.insert}`);
      const claimed = () => query(n, truth.claims);
      await scoreWrites({ truth, table, tables: tables(n), store: store(), fill, claimed, score: writes });
    }
    expect([...score.roles.wrong, ...score.states.wrong, ...writes.wrong]).toEqual([]);
    expect(score.tables.missed).toEqual([]);
    expect(score.tables.recognised, score.tables.asked.join("\n")).toBeGreaterThanOrEqual(least.recognised);
    expect(score.roles.right, score.roles.missing.join("\n")).toBeGreaterThanOrEqual(least.roles);
    expect(score.states.right, score.states.unknown.join("\n")).toBeGreaterThanOrEqual(least.states);
    expect(writes.right, writes.refused.join("\n")).toBeGreaterThanOrEqual(least.writes);
  });

  test("have random rows each in one state", async () => {
    for (const [n, truth] of truths.entries()) {
      const table = namedIn(tables(n), truth.name);
      const found = looksLikeOutbox(table) ? recogniseOutbox(table, tables(n)) : { problem: "none" };
      if ("problem" in found || table.partitioned || (table.references ?? []).length > 0) continue;
      const { mapping } = found;
      const ref = { name: "orders", mapping, storeSide: false, maxAttempts: null, estimatedRows: -1 };
      const name = `${table.schema}."${table.name}"`;
      await expectExclusiveStates({ table, mapping, outbox: store().outbox(ref), name, query: rowsOf, rows: 40 });
    }
  });
});

describe("a payload or a mark in a second table", () => {
  const { tables } = inSchemas(CLAIMED_TWO_TABLES.map(({ ddl, insert }) => `${ddl}; ${insert}`));

  test("is named with the column that ties it", () => {
    const questions = CLAIMED_TWO_TABLES.flatMap((_, n) => candidates(tables(n)).map(({ question }) => question));
    const ofPayloads = questions.filter((question) => question.includes("which column is the payload"));
    expect(ofPayloads).toEqual([
      expect.stringContaining("may be payload of team_0.domain_event, which event_id ties to it"),
      expect.stringContaining("may be body of team_2.event_payloads, which payload_id ties to it"),
      expect.stringContaining("may be payload_value of team_4.outbox_event_payload, which outbox_event_id ties to it"),
    ]);
    const found = recogniseOutbox(namedIn(tables(1), "outbox_messages"), tables(1));
    expect(found).toMatchObject({
      missing: expect.stringContaining("may be delivered_at of team_1.outbox_deliveries, which message_id ties to it"),
    });
  });
});

const INBOXES = [
  { by: "teams", truths: INBOXES_TEAMS, unknown: 0 },
  // A rejected row is neither processed nor waiting, so that of its table only the receipts are told.
  { by: "repositories", truths: INBOXES_REPOSITORIES, unknown: 2 },
  { by: "misleading names", truths: INBOXES_MISLEADING, unknown: 0 },
  { by: "answers and placeholders", truths: INBOXES_ANSWERS_AND_PLACEHOLDERS, unknown: 9 },
  { by: "frameworks", truths: INBOXES_FRAMEWORKS, unknown: 0 },
  { by: "codes and flags", truths: INBOXES_CODES_AND_FLAGS, unknown: 0 },
  { by: "flags and words", truths: INBOXES_FLAGS_AND_WORDS, unknown: 0 },
  { by: "denied and repeated", truths: INBOXES_DENIED_AND_REPEATED, unknown: 0 },
  { by: "columns of unknown meaning", truths: INBOXES_UNEXPLAINED_COLUMNS, unknown: 0 },
  // Codes of unknown meaning beside a time: asked about.
  { by: "results and senders", truths: INBOXES_RESULTS_AND_SENDERS, unknown: 3 },
  { by: "forms of marks", truths: INBOXES_FORMS_OF_MARKS, unknown: 0 },
  { by: "zero times and success", truths: INBOXES_ZERO_TIMES_AND_SUCCESS, unknown: 3 },
  { by: "left errors and needs", truths: INBOXES_LEFT_ERRORS_AND_NEEDS, unknown: 0 },
  // A flag that is null or false while a row is not processed, and an error of before the time of processing.
  { by: "keys and leases", truths: INBOXES_KEYS_AND_LEASES, unknown: 4 },
];

describe.each(INBOXES)("inboxes of $by", ({ truths, unknown }) => {
  const { store, tables } = inSchemas(truths.map(({ ddl, insert }) => `${ddl}; ${insert}`));

  test("are shown truly", async () => {
    const score = emptyScore();
    for (const [n, truth] of truths.entries()) {
      for (const table of tables(n)) await scoreInbox({ truth, table, tables: tables(n), store: store(), score });
    }
    expect([...score.roles.wrong, ...score.states.wrong]).toEqual([]);
    expect(score.states.unknown.length, score.states.unknown.join("\n")).toBeLessThanOrEqual(unknown);
    expect(score.tables.recognised, score.tables.missed.join("\n")).toBe(truths.length);
  });
});

describe("neither an outbox nor an inbox", () => {
  const others = [...OTHERS_NEVER_ASKED_ABOUT, ...OTHERS_IN_REPOSITORIES, ...OTHERS_BY_FRAMEWORKS, ...OTHERS_BY_TOOLS];
  const asked = [...ASKED_IN_REPOSITORIES, ...ASKED_BY_NAME, ...ASKED_BY_FRAMEWORKS, ...ASKED_BY_TOOLS];
  const { tables } = inSchemas([...others, ...asked]);
  const named = (one: readonly CatalogTable[]) => one.map(({ name }) => name);

  test("nor asked about", () => {
    const all = others.flatMap((_, n) => tables(n));
    expect(all).toHaveLength(others.length);
    expect(named(all.filter(looksLikeOutbox))).toEqual([]);
    expect(named(all.filter((table) => recogniseInbox(table)))).toEqual([]);
    expect(candidates(all).map(({ question }) => question)).toEqual([]);
  });

  test("are at most asked about where a person only can tell", () => {
    const all = asked.flatMap((_, n) => tables(others.length + n));
    expect(all).toHaveLength(asked.length);
    expect(named(all.filter((table) => looksLikeOutbox(table) || recogniseInbox(table)))).toEqual([]);
  });
});
