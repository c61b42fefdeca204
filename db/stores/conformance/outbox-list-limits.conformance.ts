import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAppError } from "#domain/errors.ts";
import type { MessageFilter } from "../port/message-row.ts";
import type { OutboxStore } from "../port/store.ts";
import { troubleOf } from "../port/store-error.ts";
import { openOutbox } from "./open-outbox.fixture.ts";
import {
  type DatabaseOptions,
  type DatabaseUnderTest,
  PLAIN,
  type StoreUnderTest,
} from "./store-under-test.fixture.ts";

/** A table of this many rows is too large to be read whole for one page. */
const MANY_ROWS = 400_000;

interface Opened {
  database: DatabaseUnderTest;
  outbox: OutboxStore;
}

/**
 * Requirements for lists that cannot show everything: of a table that is too large, or over a connection that is cut.
 */
export function describeListLimits(engine: StoreUnderTest): void {
  const open = async (rows: number, options: DatabaseOptions = {}): Promise<Opened> => {
    const database = await engine.createDatabase(options);
    const table = await database.createOutbox(PLAIN);
    if (rows === 1) await table.insert([{}]);
    else await table.fill(rows);
    return { database, outbox: await openOutbox(database.openStore(), table) };
  };
  const list = ({ outbox }: Opened, filter: MessageFilter) => outbox.read.list({ filter, limit: 100 });

  describe(`${engine.kind} as an outbox with a large table`, () => {
    const many = engine.manyRows ?? MANY_ROWS;
    let opened: Opened;
    beforeAll(async () => {
      opened = await open(many);
    });
    afterAll(() => opened.database.drop());

    test("a page of a large table without an index is refused or bounded, and says which index would help", async () => {
      const page = await list(opened, { state: "all", eventType: "no.such.type" }).catch((error: unknown) => {
        if (isAppError(error)) return error;
        throw error;
      });
      if (isAppError(page)) {
        expect(page).toMatchObject({ code: "filter_not_indexed" });
        expect(page.details?.index).toEqual(expect.any(String));
        return;
      }
      expect(page.partial?.read).toBeLessThan(many);
      expect(
        page.nextCursor !== null || page.partial?.skipped,
        "the rest is on later pages, or said to be on none",
      ).toBe(true);
      expect(page.partial?.index).toEqual(expect.any(String));
    });

    test("counts of a large table are bounded, estimated or unknown, and never a false exact number", async () => {
      const { counts } = await opened.outbox.read.figures();
      for (const [state, { value, precision }] of Object.entries(counts)) {
        if (precision === "exact") expect(value, state).toBe(state === "pending" ? many : 0);
        if (precision === "capped") expect(value, state).toBeLessThanOrEqual(many);
      }
      expect(counts.pending.value > 0 || counts.pending.precision === "unknown").toBe(true);
    });
  });

  test(`a connection to ${engine.kind} that is cut is unreachable in the port's words, and the next read works`, async () => {
    const opened = await open(1, { cuttable: true });
    for (const when of ["before", "after"] as const) {
      const fault = opened.database.cutAt(2, when);
      const trouble = await list(opened, { state: "all" }).then(() => null, troubleOf);
      expect(trouble).toBe("unreachable");
      expect(fault.struck()).toBe(true);
      fault.clear();
      expect((await list(opened, { state: "all" })).rows).toHaveLength(1);
    }
    await opened.database.drop();
  });
}
