import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { openMysqlStore } from "../stores/mysql/open-mysql-store.ts";
import type { Store } from "../stores/port/store.ts";
import { emptyWrites, scoreWrites } from "./hand-made/claims/claim-score.fixture.ts";
import type { ClaimedTable } from "./hand-made/claims/claimed-table.ts";
import { CLAIMED_MYSQL_CODES_AND_CHANGES } from "./hand-made/claims/mysql/mysql-codes-and-changes.ts";
import { CLAIMED_MYSQL_CODES_AND_ERRORS } from "./hand-made/claims/mysql/mysql-codes-and-errors.ts";
import { CLAIMED_MYSQL_COMMENTS_AND_WORDS } from "./hand-made/claims/mysql/mysql-comments-and-words.ts";
import { CLAIMED_MYSQL_FLAGS_AND_COMMENTS } from "./hand-made/claims/mysql/mysql-flags-and-comments.ts";
import { CLAIMED_MYSQL_FORMS_OF_MARKS } from "./hand-made/claims/mysql/mysql-forms-of-marks.ts";
import { CLAIMED_MYSQL_FRAMEWORKS } from "./hand-made/claims/mysql/mysql-frameworks.ts";
import { CLAIMED_MYSQL_LOCKS_AND_TIMES } from "./hand-made/claims/mysql/mysql-locks-and-times.ts";
import { CLAIMED_MYSQL_NAMES_OF_STATUS } from "./hand-made/claims/mysql/mysql-names-of-status.ts";
import { CLAIMED_MYSQL_PLACEHOLDERS_AND_LOCKS } from "./hand-made/claims/mysql/mysql-placeholders-and-locks.ts";
import { CLAIMED_MYSQL_RESULTS_AND_REASONS } from "./hand-made/claims/mysql/mysql-results-and-reasons.ts";
import { CLAIMED_MYSQL_TEAMS } from "./hand-made/claims/mysql/mysql-teams.ts";
import { CLAIMED_MYSQL_TYPES_OF_COLUMNS } from "./hand-made/claims/mysql/mysql-types-of-columns.ts";
import { emptyScore, scoreOutbox } from "./hand-made/states/state-score.fixture.ts";
import { readLooked } from "./looked-catalog.fixture.ts";

describe("outboxes of teams in MySQL", () => {
  const database = testMysqlDatabase("mysql");
  const score = emptyScore();
  const writes = emptyWrites();
  let store: Store;
  beforeAll(() => {
    store = openMysqlStore({ name: "shop", url: database().url, applicationName: "test", own: database().own });
  });
  afterAll(() => store.close());

  async function add(truth: ClaimedTable, to = { score, writes }): Promise<void> {
    await database().query(`${truth.ddl}; ${truth.insert}`);
    const tables = await readLooked(store);
    const table = tables.find(({ name }) => name.toLowerCase() === truth.name.toLowerCase());
    if (!table) throw new Error(`no table ${truth.name}`);
    await scoreOutbox({ truth, table, tables, store, score: to.score });
    const fill = () => database().query(`${truth.empties}; ${truth.insert}`);
    const claimed = async () => {
      const rows = await database().query(truth.claims.replaceAll("{now}", "UTC_TIMESTAMP(6)"));
      return rows.map((row) => String(Object.values(row)[0]));
    };
    await scoreWrites({ truth, table, tables, store, fill, claimed, score: to.writes });
    const made = tables.map(({ name }) => `\`${name}\``);
    await database().query(`SET foreign_key_checks = 0; DROP TABLE ${made.join(", ")}; SET foreign_key_checks = 1`);
  }

  test("show every row truly, and write what their relays understand", async () => {
    for (const truth of CLAIMED_MYSQL_TEAMS) await add(truth);
    expect([...score.roles.wrong, ...score.states.wrong, ...writes.wrong]).toEqual([]);
    expect(score.tables.recognised, score.tables.asked.join("\n")).toBe(CLAIMED_MYSQL_TEAMS.length);
    expect(score.roles.missing).toEqual([]);
    expect(score.states.right, score.states.unknown.join("\n")).toBeGreaterThanOrEqual(53);
    expect(writes.right, writes.refused.join("\n")).toBeGreaterThanOrEqual(43);
  });

  test("show every row of others truly, or ask", async () => {
    const others = { score: emptyScore(), writes: emptyWrites() };
    for (const truth of CLAIMED_MYSQL_COMMENTS_AND_WORDS) await add(truth, others);
    expect([...others.score.roles.wrong, ...others.score.states.wrong, ...others.writes.wrong]).toEqual([]);
    expect(others.score.tables.missed).toEqual([]);
    expect(others.score.tables.recognised, others.score.tables.asked.join("\n")).toBeGreaterThanOrEqual(14);
    expect(others.score.states.right, others.score.states.unknown.join("\n")).toBeGreaterThanOrEqual(52);
    expect(others.writes.right, others.writes.refused.join("\n")).toBeGreaterThanOrEqual(24);
  });

  test("show every row of guests truly, or ask", async () => {
    const guests = { score: emptyScore(), writes: emptyWrites() };
    for (const truth of [...CLAIMED_MYSQL_PLACEHOLDERS_AND_LOCKS, ...CLAIMED_MYSQL_LOCKS_AND_TIMES])
      await add(truth, guests);
    expect([...guests.score.roles.wrong, ...guests.score.states.wrong, ...guests.writes.wrong]).toEqual([]);
    expect(guests.score.tables.missed).toEqual([]);
    expect(guests.score.tables.recognised, guests.score.tables.asked.join("\n")).toBeGreaterThanOrEqual(31);
    expect(guests.score.states.right, guests.score.states.unknown.join("\n")).toBeGreaterThanOrEqual(111);
    expect(guests.writes.right, guests.writes.refused.join("\n")).toBeGreaterThanOrEqual(59);
  });

  test("show every row of tables by frameworks truly, or ask", async () => {
    const made = { score: emptyScore(), writes: emptyWrites() };
    for (const truth of [
      ...CLAIMED_MYSQL_FRAMEWORKS,
      ...CLAIMED_MYSQL_CODES_AND_ERRORS,
      ...CLAIMED_MYSQL_FLAGS_AND_COMMENTS,
      ...CLAIMED_MYSQL_RESULTS_AND_REASONS,
      ...CLAIMED_MYSQL_CODES_AND_CHANGES,
    ])
      await add(truth, made);
    expect([...made.score.roles.wrong, ...made.score.states.wrong, ...made.writes.wrong]).toEqual([]);
    expect(made.score.tables.missed).toEqual([]);
    expect(made.score.tables.recognised, made.score.tables.asked.join("\n")).toBeGreaterThanOrEqual(91);
    expect(made.score.states.right, made.score.states.unknown.join("\n")).toBeGreaterThanOrEqual(283);
    expect(made.writes.right, made.writes.refused.join("\n")).toBeGreaterThanOrEqual(171);
  });

  test("show every row truly whose mark has another form, or ask", async () => {
    const formed = { score: emptyScore(), writes: emptyWrites() };
    for (const truth of CLAIMED_MYSQL_FORMS_OF_MARKS) await add(truth, formed);
    expect([...formed.score.roles.wrong, ...formed.score.states.wrong, ...formed.writes.wrong]).toEqual([]);
    expect(formed.score.tables.missed).toEqual([]);
    expect(formed.score.tables.recognised, formed.score.tables.asked.join("\n")).toBe(
      CLAIMED_MYSQL_FORMS_OF_MARKS.length,
    );
    expect(formed.score.states.right, formed.score.states.unknown.join("\n")).toBeGreaterThanOrEqual(74);
    expect(formed.writes.right, formed.writes.refused.join("\n")).toBeGreaterThanOrEqual(33);
  });

  test("show every row of tables with types of their own truly, or ask", async () => {
    const typed = { score: emptyScore(), writes: emptyWrites() };
    for (const truth of CLAIMED_MYSQL_TYPES_OF_COLUMNS) await add(truth, typed);
    expect([...typed.score.roles.wrong, ...typed.score.states.wrong, ...typed.writes.wrong]).toEqual([]);
    expect(typed.score.tables.missed).toEqual([]);
    expect(typed.score.tables.recognised, typed.score.tables.asked.join("\n")).toBe(
      CLAIMED_MYSQL_TYPES_OF_COLUMNS.length,
    );
    expect(typed.score.states.right, typed.score.states.unknown.join("\n")).toBeGreaterThanOrEqual(50);
    expect(typed.writes.right, typed.writes.refused.join("\n")).toBeGreaterThanOrEqual(41);
  });

  test("show every row of tables with further names of a status truly, or ask", async () => {
    const named = { score: emptyScore(), writes: emptyWrites() };
    for (const truth of CLAIMED_MYSQL_NAMES_OF_STATUS) await add(truth, named);
    expect([...named.score.roles.wrong, ...named.score.states.wrong, ...named.writes.wrong]).toEqual([]);
    expect(named.score.tables.missed).toEqual([]);
    expect(named.score.tables.recognised, named.score.tables.asked.join("\n")).toBe(
      CLAIMED_MYSQL_NAMES_OF_STATUS.length,
    );
    expect(named.score.states.right, named.score.states.unknown.join("\n")).toBeGreaterThanOrEqual(42);
    expect(named.writes.right, named.writes.refused.join("\n")).toBeGreaterThanOrEqual(34);
  });
});
