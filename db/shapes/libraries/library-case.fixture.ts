import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { fingerprintOf } from "#db/stores/port/mapping-fingerprint.ts";
import { encodeMessageId } from "#db/stores/port/message-id.ts";
import type { OutboxStore, Store } from "#db/stores/port/store.ts";
import { AppError } from "#domain/errors.ts";
import { MESSAGE_STATES, type MessageAction, type MessageState } from "#domain/message/message-state.ts";
import { EVERYTHING } from "#tests/test-depth.ts";
import { findLibrary } from "../find-library.ts";
import { readLooked } from "../looked-catalog.fixture.ts";
import { looksLikeOutbox, recogniseOutbox } from "../recognise.ts";
import { expectExclusiveStates } from "./exclusive-states.fixture.ts";

/** A library's table, rows in every state, and the library's own statement that takes what it would send. */
export interface LibraryCase {
  /** Of the library's table. */
  slug: string;
  /** The library's DDL, of this table and those that its actions need. */
  ddl: Partial<Record<"postgres" | "mysql", string>>;
  table: string;
  /** Slugs of the library's other tables in the DDL. */
  beside?: Readonly<Record<string, string>>;
  /** INSERT statements. Keys are the values of the primary key as text. */
  rows: readonly { key: string | readonly string[]; state: MessageState; insert: string; scheduled?: true }[];
  /**
   * The library's own condition of rows that it takes now, or would once earlier rows of their key are gone: a SELECT
   * of the key. `{now}` stands for the time as an instant, `{utc}` for it as a date and time in UTC. Null where no row
   * says it.
   */
  claims: string | null;
  /** What takes a row after a retry, where that is not `claims`: a person's call, or a second table. */
  takesRetried?: string;
  /** Actions on rows that are refused although their state allows them, with a part of the sentence. */
  refuses?: Partial<Record<MessageAction, RegExp>>;
}

export interface LibraryDatabase {
  engine: "postgres" | "mysql";
  openStore(): Store;
  /** Runs statements, and returns the rows of the last one as texts. */
  query(sql: string): Promise<Record<string, string | null>[]>;
  /** Drops every table of the team's, ours not. */
  empty(): Promise<void>;
}

const NOW = {
  postgres: { now: "clock_timestamp()", utc: "(clock_timestamp() AT TIME ZONE 'UTC')" },
  mysql: { now: "UTC_TIMESTAMP(6)", utc: "UTC_TIMESTAMP(6)" },
};

/**
 * Recognises each table, compares the states of its rows, and every action with what the library does after it: on each
 * row where everything runs, otherwise on the first one of each state.
 */
export function testLibraries(cases: readonly LibraryCase[], database: () => LibraryDatabase): void {
  let store: Store;
  beforeAll(() => {
    store = database().openStore();
  });
  afterAll(() => store.close());

  describe.each(cases.map((one) => [one.slug, one] as const))("%s", (slug, one) => {
    let outbox: OutboxStore;
    let mapping: OutboxMapping;
    const ids = one.rows.map(({ key }) => encodeMessageId(typeof key === "string" ? [key] : [...key]));
    const fill = () =>
      database().query([`DELETE FROM ${one.table}`, ...one.rows.map(({ insert }) => insert)].join(";\n"));

    beforeAll(async () => {
      const { engine, query, empty } = database();
      await empty();
      await query(one.ddl[engine] ?? "SELECT 1");
      const tables = await readLooked(store);
      const wanted = one.table.replaceAll(/["`]/g, "");
      const table = tables.find(({ name }) => name === wanted);
      if (!table) throw new Error(`The DDL of ${slug} has no table ${wanted}.`);
      expect(findLibrary(table)).toMatchObject({ known: { slug }, byName: true });
      expect(looksLikeOutbox(table)).toBe(true);
      const recognised = recogniseOutbox(table, tables);
      if ("problem" in recognised) throw new Error(recognised.problem);
      expect(recognised).toMatchObject({ confidence: "exact", question: null, mapping: { shape: slug } });
      mapping = recognised.mapping;
      const accepted = fingerprintOf(table, mapping);
      if (!accepted) throw new Error("The mapping names a column that is not there.");
      const name = `library-${randomUUID()}`;
      await store.records.keepFirstMapping({ outbox: name, fingerprint: accepted, by: "test" });
      outbox = store.outbox({ name, mapping, accepted, storeSide: true, maxAttempts: null, estimatedRows: 10 });
    });

    test("shows the state of every row, and counts each once", async () => {
      await fill();
      const expected = new Map(ids.map((id, index) => [id, one.rows[index]?.state]));
      const shown = new Map<string, string>();
      for (const id of ids) shown.set(id, (await outbox.read.message(id))?.row.state ?? "not found");
      expect(shown).toEqual(expected);
      const { counts } = await outbox.read.figures();
      for (const state of MESSAGE_STATES) {
        const { rows } = await outbox.read.list({ filter: { state }, limit: 100 });
        const those = ids.filter((id) => expected.get(id) === state);
        expect(rows.map(({ id }) => id).sort(), state).toEqual(those.sort());
        expect(counts[state], state).toEqual({ value: those.length, precision: "exact" });
      }
    });

    test("random rows are each in one state, and the counts add up to the table", async () => {
      const { engine, query } = database();
      if (mapping.lifecycle.kind !== "rules" || engine !== "postgres") return;
      const tables = await readLooked(store);
      const table = tables.find(({ name, schema }) => name === mapping.table.name && schema === mapping.table.schema);
      if (!table) throw new Error("The table is gone.");
      await query(`DELETE FROM ${one.table}`);
      await expectExclusiveStates({ table, mapping, outbox, name: one.table, query, rows: 150 });
    });

    const tried = (state: MessageState, index: number) =>
      EVERYTHING || one.rows.findIndex((row) => row.state === state) === index;
    const actions = one.rows.flatMap(({ key, state }, index) =>
      (tried(state, index) ? (["retry", "dead-letter"] as const) : []).map((action) => ({
        ...{ action, state, key: String(key), id: ids[index] ?? "" },
      })),
    );
    test.each(actions)("$action of $key, which is $state", async ({ action, id }) => {
      await fill();
      const outcome = await perform(outbox, action, id);
      if (typeof outcome !== "string") {
        const refusal = one.refuses?.[action];
        if (refusal && outcome.code === "wrong_state" && possible(action, id)) expect(outcome.message).toMatch(refusal);
        else expect(outcome.code).toMatch(/^(wrong_state|in_flight)$/);
        expect(possible(action, id) && !refusal, outcome.message).toBe(false);
        return;
      }
      expect(one.refuses?.[action], "the action is refused").toBeUndefined();
      if (one.claims === null) return;
      if (action === "retry") expect(await taken(one.takesRetried ?? one.claims)).toContain(id);
      else expect(await taken(one.claims)).not.toContain(id);
      if (action === "dead-letter" && (await outbox.read.find([id])).length > 0) {
        const back = await perform(outbox, "retry", id);
        if (one.refuses?.restore) {
          expect(back).toMatchObject({ code: "wrong_state", message: expect.stringMatching(one.refuses.restore) });
          return;
        }
        expect(back).toBeTypeOf("string");
        const scheduled = one.rows[ids.indexOf(id)]?.scheduled === true;
        if (scheduled && one.refuses?.retry) return;
        expect(await taken(one.takesRetried ?? one.claims)).toContain(id);
      }
    });

    function possible(action: MessageAction, id: string): boolean {
      const state = one.rows[ids.indexOf(id)]?.state;
      return action === "retry"
        ? state === "failed" || state === "dead"
        : state === "pending" || state === "failed" || state === "unknown";
    }

    async function taken(sql: string): Promise<string[]> {
      const { engine, query } = database();
      const rows = await query(sql.replaceAll("{now}", NOW[engine].now).replaceAll("{utc}", NOW[engine].utc));
      return rows.map((row) => encodeMessageId(Object.values(row).map(String)));
    }
  });
}

/** The sentence about what was done, or why not. */
async function perform(outbox: OutboxStore, action: MessageAction, id: string): Promise<string | AppError> {
  const version = (await outbox.read.find([id]))[0]?.version ?? "";
  const actor = { name: "ada", role: "admin" } as const;
  const request = { action, id, version, actor, reason: "INC-42", operationId: randomUUID(), dryRun: false };
  try {
    return (await outbox.act.perform(request, 0)).message;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
