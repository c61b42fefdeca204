import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import type { CatalogTable } from "../stores/port/catalog.ts";
import type { Store } from "../stores/port/store.ts";
import { openPostgresStore } from "../stores/postgres/open-postgres-store.ts";
import { candidates } from "./candidates.ts";
import { CLAIMED_AGAIN_BY_GUESTS } from "./hand-made/claims/again-by-guests.ts";
import { CLAIMED_BY_CODES } from "./hand-made/claims/by-codes.ts";
import { CLAIMED_BY_COLUMNS } from "./hand-made/claims/by-columns.ts";
import { CLAIMED_BY_DEFAULTS } from "./hand-made/claims/by-defaults.ts";
import { CLAIMED_BY_DOUBTS } from "./hand-made/claims/by-doubts.ts";
import { CLAIMED_BY_ERRORS } from "./hand-made/claims/by-errors.ts";
import { CLAIMED_BY_FRAMEWORKS } from "./hand-made/claims/by-frameworks.ts";
import { CLAIMED_BY_GUESTS } from "./hand-made/claims/by-guests.ts";
import { CLAIMED_BY_HOLDS } from "./hand-made/claims/by-holds.ts";
import { CLAIMED_BY_TEAMS } from "./hand-made/claims/by-language.ts";
import { CLAIMED_BY_LIMITS } from "./hand-made/claims/by-limits.ts";
import { CLAIMED_BY_LOOKALIKES } from "./hand-made/claims/by-lookalikes.ts";
import { CLAIMED_BY_MARKS } from "./hand-made/claims/by-marks.ts";
import { CLAIMED_BY_OUTSIDERS } from "./hand-made/claims/by-outsiders.ts";
import { CLAIMED_BY_REGISTERS } from "./hand-made/claims/by-registers.ts";
import { CLAIMED_BY_STRANGERS } from "./hand-made/claims/by-strangers.ts";
import { CLAIMED_BY_TIMES } from "./hand-made/claims/by-times.ts";
import { CLAIMED_BY_TURNED_FLAGS } from "./hand-made/claims/by-turned-flags.ts";
import { CLAIMED_BY_UNSET_FLAGS } from "./hand-made/claims/by-unset-flags.ts";
import { CLAIMED_BY_WORDS } from "./hand-made/claims/by-words.ts";
import { emptyWrites, scoreWrites } from "./hand-made/claims/claim-score.fixture.ts";
import type { ClaimedTable } from "./hand-made/claims/claimed-table.ts";
import { CLAIMED_IN_MORE_REPOSITORIES } from "./hand-made/claims/in-more-repositories.ts";
import { CLAIMED_IN_REPOSITORIES } from "./hand-made/claims/in-repositories.ts";
import { CLAIMED_APART } from "./hand-made/claims/in-two-tables.ts";
import { MORE_CLAIMED_BY_GUESTS } from "./hand-made/claims/more-by-guests.ts";
import { MORE_CLAIMED_BY_WORDS } from "./hand-made/claims/more-by-words.ts";
import { CLAIMED_ONCE_MORE_BY_GUESTS } from "./hand-made/claims/once-more-by-guests.ts";
import { STILL_MORE_CLAIMED_BY_FLAGS } from "./hand-made/claims/still-more-by-flags.ts";
import { STILL_MORE_CLAIMED_BY_GUESTS } from "./hand-made/claims/still-more-by-guests.ts";
import { INBOXES_BY_CODES } from "./hand-made/inboxes/by-codes.ts";
import { INBOXES_BY_FRAMEWORKS } from "./hand-made/inboxes/by-frameworks.ts";
import { INBOXES_BY_GUESTS } from "./hand-made/inboxes/by-guests.ts";
import { MORE_STATED_INBOXES } from "./hand-made/inboxes/by-language.ts";
import { INBOXES_BY_OUTSIDERS } from "./hand-made/inboxes/by-outsiders.ts";
import { INBOXES_IN_REPOSITORIES } from "./hand-made/inboxes/in-repositories.ts";
import { MORE_INBOXES_BY_CODES } from "./hand-made/inboxes/more-by-codes.ts";
import { ASKED_BY_NAME } from "./hand-made/others/asked-by-name.ts";
import { ASKED_BY_FRAMEWORKS, OTHERS_BY_FRAMEWORKS } from "./hand-made/others/by-frameworks.ts";
import { ASKED_IN_REPOSITORIES, OTHERS_IN_REPOSITORIES } from "./hand-made/others/in-repositories.ts";
import { STILL_OTHER_TABLES } from "./hand-made/others/still-other-tables.ts";
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

const OUTBOXES: {
  by: string;
  truths: readonly ClaimedTable[];
  recognised: number;
  roles: number;
  states: number;
  writes: number;
}[] = [
  { by: "teams", truths: CLAIMED_BY_TEAMS, recognised: 18, roles: 141, states: 71, writes: 50 },
  { by: "marks", truths: CLAIMED_BY_MARKS, recognised: 19, roles: 105, states: 63, writes: 40 },
  { by: "times", truths: CLAIMED_BY_TIMES, recognised: 11, roles: 70, states: 30, writes: 30 },
  { by: "holds", truths: CLAIMED_BY_HOLDS, recognised: 13, roles: 83, states: 45, writes: 38 },
  { by: "strangers", truths: CLAIMED_BY_STRANGERS, recognised: 8, roles: 56, states: 27, writes: 25 },
  { by: "repositories", truths: CLAIMED_IN_REPOSITORIES, recognised: 17, roles: 118, states: 64, writes: 39 },
  { by: "more repositories", truths: CLAIMED_IN_MORE_REPOSITORIES, recognised: 17, roles: 136, states: 58, writes: 48 },
  { by: "doubts", truths: CLAIMED_BY_DOUBTS, recognised: 16, roles: 87, states: 44, writes: 28 },
  { by: "lookalikes", truths: CLAIMED_BY_LOOKALIKES, recognised: 8, roles: 42, states: 23, writes: 9 },
  { by: "defaults", truths: CLAIMED_BY_DEFAULTS, recognised: 11, roles: 66, states: 38, writes: 27 },
  { by: "outsiders", truths: CLAIMED_BY_OUTSIDERS, recognised: 17, roles: 102, states: 67, writes: 36 },
  { by: "limits", truths: CLAIMED_BY_LIMITS, recognised: 11, roles: 58, states: 33, writes: 14 },
  { by: "guests", truths: CLAIMED_BY_GUESTS, recognised: 18, roles: 86, states: 58, writes: 30 },
  { by: "more guests", truths: MORE_CLAIMED_BY_GUESTS, recognised: 18, roles: 87, states: 63, writes: 33 },
  { by: "still more guests", truths: STILL_MORE_CLAIMED_BY_GUESTS, recognised: 18, roles: 84, states: 58, writes: 31 },
  { by: "guests again", truths: CLAIMED_AGAIN_BY_GUESTS, recognised: 19, roles: 89, states: 66, writes: 26 },
  { by: "guests once more", truths: CLAIMED_ONCE_MORE_BY_GUESTS, recognised: 11, roles: 56, states: 36, writes: 22 },
  { by: "frameworks", truths: CLAIMED_BY_FRAMEWORKS, recognised: 14, roles: 79, states: 54, writes: 41 },
  { by: "registers", truths: CLAIMED_BY_REGISTERS, recognised: 23, roles: 123, states: 77, writes: 51 },
  { by: "columns", truths: CLAIMED_BY_COLUMNS, recognised: 30, roles: 146, states: 91, writes: 37 },
  { by: "errors", truths: CLAIMED_BY_ERRORS, recognised: 31, roles: 163, states: 93, writes: 56 },
  { by: "codes", truths: CLAIMED_BY_CODES, recognised: 29, roles: 145, states: 80, writes: 36 },
  { by: "words", truths: CLAIMED_BY_WORDS, recognised: 25, roles: 128, states: 87, writes: 45 },
  { by: "turned flags", truths: CLAIMED_BY_TURNED_FLAGS, recognised: 31, roles: 167, states: 93, writes: 55 },
  { by: "more words", truths: MORE_CLAIMED_BY_WORDS, recognised: 31, roles: 160, states: 108, writes: 61 },
  { by: "more flags", truths: STILL_MORE_CLAIMED_BY_FLAGS, recognised: 20, roles: 105, states: 64, writes: 47 },
  { by: "unset flags", truths: CLAIMED_BY_UNSET_FLAGS, recognised: 24, roles: 132, states: 79, writes: 53 },
  { by: "tables beside", truths: CLAIMED_APART, recognised: 2, roles: 9, states: 5, writes: 0 },
];

describe.each(OUTBOXES)("outboxes by $by", ({ truths, ...least }) => {
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
  const { tables } = inSchemas(CLAIMED_APART.map(({ ddl, insert }) => `${ddl}; ${insert}`));

  test("is named with the column that ties it", () => {
    const questions = CLAIMED_APART.flatMap((_, n) => candidates(tables(n)).map(({ question }) => question));
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
  { by: "teams", truths: MORE_STATED_INBOXES, unknown: 0 },
  // A rejected row is neither processed nor waiting, so that of its table only the receipts are told.
  { by: "repositories", truths: INBOXES_IN_REPOSITORIES, unknown: 2 },
  { by: "outsiders", truths: INBOXES_BY_OUTSIDERS, unknown: 0 },
  { by: "guests", truths: INBOXES_BY_GUESTS, unknown: 9 },
  { by: "frameworks", truths: INBOXES_BY_FRAMEWORKS, unknown: 0 },
  { by: "codes", truths: INBOXES_BY_CODES, unknown: 0 },
  { by: "more codes", truths: MORE_INBOXES_BY_CODES, unknown: 0 },
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
  const others = [...STILL_OTHER_TABLES, ...OTHERS_IN_REPOSITORIES, ...OTHERS_BY_FRAMEWORKS];
  const asked = [...ASKED_IN_REPOSITORIES, ...ASKED_BY_NAME, ...ASKED_BY_FRAMEWORKS];
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
