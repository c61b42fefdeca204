import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import { LAYOUTS } from "#tests/factories/layouts-states.ts";
import { OPERATOR, VIEWER } from "#tests/factories/runtime.ts";
import { layoutNamed, operatedOutbox } from "./operated-outbox.fixture.ts";

const { database, open, openTable, act, perform, read, put, everything, auditRows } = operatedOutbox();
const PLAIN = layoutNamed("(a)");

describe("who may", () => {
  test("a viewer may do nothing, an operator everything but purge", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "failed");
    for (const action of ["retry", "dead-letter", "archive", "restore", "purge"] as const)
      await expect(act(action, id, { actor: VIEWER })).rejects.toMatchObject({ code: "forbidden" });
    await expect(act("purge", id, { actor: OPERATOR })).rejects.toMatchObject({ code: "forbidden" });
    expect(await auditRows()).toEqual([]);
    expect((await act("retry", id, { actor: OPERATOR })).done).toBe(1);
  });

  test("nobody where the outbox is observed only, or not migrated", async () => {
    await database().pool.query(PLAIN.ddl);
    openTable(PLAIN.table, { mode: "observe" });
    const id = await PLAIN.insert(database().pool, "pending");
    await expect(act("dead-letter", id)).rejects.toMatchObject({
      code: "wrong_state",
      message: expect.stringContaining("observed only"),
    });
  });
});

describe("requests", () => {
  test("unknown ids and ids of no message's form are skipped as not found, the others are done", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    const { version } = (await read(id)).message;
    const operation = await perform("dead-letter", [
      { id: randomUUID(), version },
      { id: "~garbage", version },
      { id: "'; DROP TABLE outbox_events; --", version },
      { id, version },
      { id, version },
    ]);
    expect(operation.outcomes.map((outcome) => outcome.code)).toEqual(["not_found", "not_found", "not_found", null]);
    expect(operation).toMatchObject({ done: 1, skipped: 3, failed: 0 });
  });

  test.each(LAYOUTS)(
    "$name: messages are retried in the outbox's order, wherever they are, and reported in the order asked for",
    async (layout) => {
      await open(layout);
      const ids: string[] = [];
      for (let n = 0; n < 5; n += 1) ids.push(await layout.insert(database().pool, "pending"));
      // All were created at the same moment: their own ids decide, numbers by value.
      const ownId = (id: string) => decodeMessageId(id, id.startsWith("~") ? 2 : 1)[0]?.padStart(40, "0") ?? "";
      const inOrder = [...ids].sort((left, right) => (ownId(left) < ownId(right) ? -1 : 1));
      for (const id of ids) await act("dead-letter", id);
      const backwards = [...inOrder].reverse();
      const targets = await Promise.all(
        backwards.map(async (id) => ({ id, version: (await read(id)).message.version })),
      );
      const { outcomes } = await perform("retry", [{ id: "nobody", version: "1.1" }, ...targets]);
      expect(outcomes.map(({ id }) => id)).toEqual(["nobody", ...backwards]);
      const retried = (await auditRows()).filter(({ action }) => action === "message.retry");
      expect(retried.map(({ messageId }) => messageId)).toEqual(inOrder);
    },
  );

  test("the same key gives the same answer again, and refuses another request", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    const { version } = (await read(id)).message;
    const first = await act("dead-letter", id, { version, key: "key-00001" });
    expect(await act("dead-letter", id, { version, key: "key-00001" })).toEqual(first);
    await expect(act("retry", id, { version, key: "key-00001" })).rejects.toMatchObject({ code: "conflict" });
    await expect(act("dead-letter", id, { version, key: "key-00001", reason: "another" })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await auditRows()).toHaveLength(1);
    const other = await act("dead-letter", id, { version, key: "key-00001", actor: OPERATOR });
    expect(other.id).not.toBe(first.id);
    openTable(PLAIN.table, { ...PLAIN.settings, actions: { "dead-letter": false } });
    expect(await act("dead-letter", id, { version, key: "key-00001" })).toEqual(first);
    await expect(act("dead-letter", id, { version })).rejects.toMatchObject({ code: "forbidden" });
  });

  test("a dry run says what would come, and changes nothing", async () => {
    await open(PLAIN);
    const id = await put(PLAIN, "pending");
    const before = await everything(PLAIN.table);
    const operation = await act("dead-letter", id, { dryRun: true });
    expect(operation).toMatchObject({ dryRun: true, done: 1 });
    expect(await everything(PLAIN.table)).toBe(before);
    expect((await act("retry", id, { dryRun: true })).outcomes[0]?.code).toBe("wrong_state");
  });
});
