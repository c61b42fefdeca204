import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { openPostgresStore } from "../stores/postgres/open-postgres-store.ts";
import { candidates } from "./candidates.ts";
import { STATED_INBOXES } from "./hand-made/claims/postgres/inboxes/stated-inboxes.ts";
import { OTHERS_WORDS_OF_OUTBOXES } from "./hand-made/others/words-of-outboxes.ts";
import { STATED_BY_FLAG } from "./hand-made/states/by-flag.ts";
import { STATED_BY_STATUS } from "./hand-made/states/by-status.ts";
import { STATED_BY_TIME } from "./hand-made/states/by-time.ts";
import { emptyScore, scoreInbox, scoreOutbox } from "./hand-made/states/state-score.fixture.ts";
import type { StatedTable } from "./hand-made/states/stated-table.ts";
import { recogniseInbox } from "./inbox/recognise-inbox.ts";
import { readLooked } from "./looked-catalog.fixture.ts";
import { looksLikeOutbox } from "./recognise.ts";

const database = testDatabase("empty");
const query = (sql: string) => database().pool.query(sql);

beforeEach(async () => {
  await query("DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public");
});

async function openWith(sql: string) {
  await query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${sql}`);
  return openPostgresStore({ name: "shop", url: database().url, applicationName: "test" });
}

async function scoreOf(truths: readonly StatedTable[], add: typeof scoreOutbox) {
  const score = emptyScore();
  for (const truth of truths) {
    const store = await openWith(`${truth.ddl}; ${truth.insert}`);
    try {
      const tables = await readLooked(store);
      const named = /INSERT INTO (\S+)/.exec(truth.insert)?.[1] ?? "";
      const name = named.startsWith('"') ? named.slice(1, -1) : named.toLowerCase();
      const table = tables.find((one) => one.name === name);
      if (!table) throw new Error(`no table ${named}`);
      await add({ truth, table, tables, store, score });
    } finally {
      await store.close();
    }
  }
  return score;
}

const OUTBOXES = [
  { by: "times", truths: STATED_BY_TIME, missed: [], recognised: 17, roles: 137, states: 69 },
  { by: "statuses", truths: STATED_BY_STATUS, missed: [], recognised: 17, roles: 131, states: 70 },
  { by: "flags", truths: STATED_BY_FLAG, missed: ["pub_queue"], recognised: 21, roles: 117, states: 84 },
];

describe("rows of hand-made tables", () => {
  test.each(OUTBOXES)("marked by $by are in no false state", async ({ truths, ...least }) => {
    const { tables, roles, states } = await scoreOf(truths, scoreOutbox);
    expect([...roles.wrong, ...states.wrong]).toEqual([]);
    expect(tables.missed).toEqual(least.missed);
    expect(tables.recognised, tables.asked.join("\n")).toBeGreaterThanOrEqual(least.recognised);
    expect(roles.right, roles.missing.join("\n")).toBeGreaterThanOrEqual(least.roles);
    expect(states.right, states.unknown.join("\n")).toBeGreaterThanOrEqual(least.states);
  });

  test("of inboxes are in no false state", async () => {
    const { tables, roles, states } = await scoreOf(STATED_INBOXES, scoreInbox);
    expect([...roles.wrong, ...states.wrong]).toEqual([]);
    expect(tables.recognised, tables.missed.join("\n")).toBeGreaterThanOrEqual(14);
    expect(roles.right, roles.missing.join("\n")).toBeGreaterThanOrEqual(52);
    expect(states.right, states.unknown.join("\n")).toBeGreaterThanOrEqual(30);
  });
});

describe("neither an outbox nor an inbox, nor asked about", () => {
  const named = OTHERS_WORDS_OF_OUTBOXES.map((ddl) => ({ name: /TABLE (\w+)/.exec(ddl)?.[1], ddl }));
  test.each(named)("$name", async ({ ddl }) => {
    const store = await openWith(ddl);
    try {
      const tables = await readLooked(store);
      expect(tables).toHaveLength(1);
      expect(tables.filter((table) => looksLikeOutbox(table) || recogniseInbox(table))).toEqual([]);
      expect(candidates(tables)).toEqual([]);
    } finally {
      await store.close();
    }
  });
});
