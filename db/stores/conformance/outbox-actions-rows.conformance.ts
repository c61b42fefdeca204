import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MessageState } from "#domain/message/message-state.ts";
import { known, type OperatorDesk, openDesk, statesOf } from "./operator-desk.fixture.ts";
import {
  BY_CAPABILITY,
  byName,
  contrastsOf,
  layoutsOf,
  type NewRow,
  type StoreUnderTest,
} from "./store-under-test.fixture.ts";

const PAYLOAD = `{ "n": 9007199254740993,  "x": 1.10, "x": 2, "deep": [1e400, -0, null, "\\u0041"],
  "t": "é 💥 \\"quoted\\" \\\\ back" }`;

/** A row that a careless copy changes. */
const EXACT: NewRow = {
  payload: PAYLOAD,
  aggregateId: "zoë/'1'",
  eventType: 'ärger 💥 "quoted"',
  createdAt: "2026-03-01T10:00:00.123456Z",
};

/** Requirements of every engine for a row that leaves its table and comes back. */
export function describeMovedRows(engine: StoreUnderTest): void {
  describe.each(layoutsOf(engine, [...contrastsOf(engine, "status"), byName("outbox and archive tables")]))(
    `rows that actions of ${engine.kind} move, of a table with $name`,
    (layout) => {
      let desk: OperatorDesk;
      beforeAll(async () => {
        desk = await openDesk(engine, layout);
      });
      afterAll(() => desk.close());

      /** A row after a retry: only its due time, where the table has one, is the time of the retry. */
      const retried = (row: Record<string, string | null> | null) =>
        layout.attempts ? { ...row, available_at: expect.any(String) } : row;

      /** As the page shows it and as its bytes are downloaded, which must agree. */
      const payloadOf = async (id: string) => {
        const text = (await desk.outbox.read.message(id))?.content.payload?.text;
        const bytes = (await desk.outbox.read.bytes(id, { most: 10_000 }))?.payload?.bytes;
        expect(Buffer.from(bytes ?? []).toString()).toBe(text);
        return text;
      };

      const archivable = (["published", "dead", "expired"] as const satisfies MessageState[]).filter((state) =>
        statesOf(layout, engine).includes(state),
      );

      test.each(archivable)("a %s row that was archived and restored is exactly as it was", async (state) => {
        const id = await desk.put(state, { ...EXACT, availableAt: "2026-03-01T10:00:00.000001Z" });
        const before = await desk.photo(id);
        const counts = await desk.counts();
        await desk.act("archive", id);
        expect(await desk.table.row(id)).toBeNull();
        expect((await desk.outbox.read.message(id))?.row.state).toBe("archived");
        expect(await payloadOf(id)).toBe(PAYLOAD);
        await desk.act("restore", id);
        const after = await desk.photo(id);
        expect(after.row).toEqual(before.row);
        expect(after.archived).toBeNull();
        expect(await desk.counts()).toEqual(counts);
        expect(known(after)).toEqual(known(before));
      });

      test("a row that was archived lies in the team's own archive table as it was, where there is one", async () => {
        if (!layout.archiveTable) return expect(await desk.outbox.act.whyRowsStay()).toBeNull();
        const id = await desk.put("published", EXACT);
        const before = await desk.table.row(id);
        await desk.act("archive", id);
        expect(await desk.table.row(id, "archive")).toEqual(before);
      });

      test("a row that was dead-lettered and retried is as its producer wrote it", async () => {
        const id = await desk.put("pending", EXACT);
        const before = await desk.table.row(id);
        for (const detour of [[], ["archive", "restore"]] as const) {
          await desk.act("dead-letter", id);
          expect(await payloadOf(id)).toBe(PAYLOAD);
          for (const action of detour) await desk.act(action, id);
          await desk.act("retry", id);
          expect(await desk.table.row(id)).toEqual(retried(before));
        }
      });

      test("a restore onto an id that exists again is a conflict, and keeps the archived row", async () => {
        const id = await desk.put("archived", EXACT);
        const version = await desk.versionOf(id);
        await desk.table.insert([{ id, eventType: "again" }]);
        const before = await desk.photo(id);
        await expect(desk.act("restore", id, { version })).rejects.toMatchObject({ code: "conflict" });
        expect(await desk.photo(id)).toEqual(before);
        expect(before.message?.row).toMatchObject({ state: "pending", eventType: "again" });
      });

      test("a row that must stay in its table is dead beside it, and never archived", async (context) => {
        if (!desk.table.keepRows) return context.skip(`${BY_CAPABILITY} nothing keeps rows in a table of this engine`);
        expect(await desk.outbox.act.whyRowsStay()).toBeNull();
        await desk.table.keepRows();
        expect(await desk.outbox.act.whyRowsStay()).toMatch(/^[a-z].+[^.]$/);
        const id = await desk.put("pending", EXACT);
        const before = await desk.table.row(id);
        expect(await desk.act("dead-letter", id)).toMatchObject({ stateAfter: "dead" });
        if (!layout.attempts) expect(await desk.table.row(id)).toEqual(before);
        const dead = await desk.photo(id);
        await expect(desk.act("archive", id)).rejects.toMatchObject({ code: "wrong_state" });
        expect(await desk.photo(id)).toEqual(dead);
        expect(await desk.act("retry", id)).toMatchObject({ stateAfter: "pending" });
        expect(await desk.table.row(id)).toEqual(retried(before));
      });
    },
  );
}
