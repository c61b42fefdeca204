import { expect } from "vitest";
import type { CatalogTable } from "#db/stores/port/catalog.ts";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxStore } from "#db/stores/port/store.ts";
import { toText } from "#db/stores/postgres/connection/dialect.ts";
import { outboxTable } from "#db/stores/postgres/tables/outbox-table.ts";
import { all, grouped, isNotTrue } from "#db/stores/shared/states/conditions.ts";
import { dead, expired, published, unknown, unsent } from "#db/stores/shared/states/state-predicates.ts";
import { randomInsert } from "./random-rows.fixture.ts";

interface Random {
  table: CatalogTable;
  mapping: OutboxMapping;
  outbox: OutboxStore;
  /** The table's name in SQL. */
  name: string;
  /** Rows of the last statement, as texts. */
  query(sql: string): Promise<Record<string, string | null>[]>;
  rows: number;
}

/**
 * Fills the table with random rows, each of which must be in exactly one state, so that the counts add up to the table.
 */
export async function expectExclusiveStates({ table, mapping, outbox, name, query, rows }: Random): Promise<void> {
  const random = seededRandom(`${mapping.shape}${table.name}`);
  const inserts = Array.from({ length: rows }, () => randomInsert(table, mapping.lifecycle, random));
  await query(`DO $random$ BEGIN ${inserts.map(orNothing).join(" ")} END $random$`);
  const [{ total } = {}] = await query(`SELECT count(*)::text AS total FROM ${name}`);
  expect(Number(total), table.name).toBeGreaterThan(5);
  expect(await query(doubtful(mapping, name)), table.name).toEqual([]);
  const { counts } = await outbox.read.figures();
  const sum = Object.values(counts).reduce((before, { value }) => before + value, 0);
  expect(sum, table.name).toBe(Number(total));
}

/** Some values break a constraint of the table; such rows cannot be there. */
const orNothing = (insert: string) => `BEGIN ${insert}; EXCEPTION WHEN OTHERS THEN NULL; END;`;

/** Rows in no state or in several, with those states. */
function doubtful(mapping: OutboxMapping, name: string): string {
  const row = outboxTable(mapping);
  const isOther = [published(row), dead(row)].map((one) => isNotTrue(grouped(one)));
  const states = {
    unknown: unknown(row),
    dead: all(dead(row), isNotTrue(grouped(unknown(row)))),
    published: published(row),
    expired: all(expired(row), ...isOther, isNotTrue(grouped(unknown(row)))),
    waiting: unsent(row),
  };
  const held = Object.values(states).map((state) => `coalesce((${toText(state)})::int, 0)`);
  const named = Object.entries(states).map(([state, sql]) => `CASE WHEN ${toText(sql)} THEN '${state} ' ELSE '' END`);
  return `SELECT t.*, ${named.join(" || ")} AS in_states FROM ${name} t WHERE ${held.join(" + ")} <> 1`;
}

/** Numbers from 0 to 1, the same at every run. */
function seededRandom(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
