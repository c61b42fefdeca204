import { describe, expect, test } from "vitest";
import { createTestDatabase } from "#tests/postgres.ts";
import { EVERYTHING } from "#tests/test-depth.ts";
import { openPostgresStore } from "../stores/postgres/open-postgres-store.ts";
import type { ClaimedTable } from "./hand-made/claims/claimed-table.ts";
import { CLAIMED_HELD_ROWS } from "./hand-made/claims/postgres/kept-back/held-rows.ts";
import { CLAIMED_COMBINED_MARKS } from "./hand-made/claims/postgres/marks/combined-marks.ts";
import { CLAIMED_LOOKALIKES } from "./hand-made/claims/postgres/marks/lookalikes.ts";
import { CLAIMED_PLAINER_THAN_THEY_ARE } from "./hand-made/claims/postgres/marks/plainer-than-they-are.ts";
import { CLAIMED_WRITTEN_AFTER_RULES } from "./hand-made/claims/postgres/written-after-rules.ts";
import { emptyScore, type StatedScore, scoreOutbox } from "./hand-made/states/state-score.fixture.ts";
import { VARIANTS, type Variant, variantOf } from "./hand-made/states/variants.fixture.ts";
import { readLooked } from "./looked-catalog.fixture.ts";

const TRUTHS: readonly ClaimedTable[] = [
  ...CLAIMED_COMBINED_MARKS,
  ...CLAIMED_HELD_ROWS,
  ...CLAIMED_WRITTEN_AFTER_RULES,
  ...CLAIMED_PLAINER_THAN_THEY_ARE,
  ...CLAIMED_LOOKALIKES,
].filter(({ ddl }) => !/PARTITION|GENERATED ALWAYS AS \(/i.test(ddl));

/** Few at a time, so that the bounded look at the rows is not short of time. */
const AT_ONCE = 6;

async function scoreOf(variant: Variant): Promise<StatedScore> {
  const score = emptyScore();
  for (let from = 0; from < TRUTHS.length; from += AT_ONCE)
    await scoreSome(TRUTHS.slice(from, from + AT_ONCE), variant, score);
  return score;
}

async function scoreSome(truths: readonly ClaimedTable[], variant: Variant, score: StatedScore): Promise<void> {
  const database = await createTestDatabase("empty");
  for (const [n, { ddl, insert, name }] of truths.entries())
    await database.pool.query(
      `CREATE SCHEMA team_${n}; SET search_path TO team_${n}, public; ${ddl}; ${insert}; ${variant.sql(name)}; RESET search_path`,
    );
  const store = openPostgresStore({ name: "shop", url: database.url, applicationName: "test" });
  const tables = await readLooked(store);
  for (const [n, truth] of truths.entries()) {
    const own = tables.filter(({ schema }) => schema === `team_${n}`);
    const table = own.find(({ name }) => name === truth.name);
    if (!table) throw new Error(`no table ${truth.name}`);
    await scoreOutbox({ truth: variantOf(truth, variant), table, tables: own, store, score });
  }
  await store.close();
  await database.drop();
}

describe("the same tables in another form are in no false state", () => {
  test.each(VARIANTS.filter(({ likeAnother }) => EVERYTHING || !likeAnother))("$what", async (variant) => {
    const { tables, states } = await scoreOf(variant);
    expect(states.wrong).toEqual([]);
    expect(tables.recognised, [...tables.asked, ...tables.missed].join("\n")).toBeGreaterThanOrEqual(
      variant.recognised,
    );
    expect(states.right, states.unknown.join("\n")).toBeGreaterThanOrEqual(variant.states);
  });
});
