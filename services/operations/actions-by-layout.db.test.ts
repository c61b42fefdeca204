import { describe, expect, test } from "vitest";
import type { MessageAction, MessageState } from "#domain/message/message-state.ts";
import { LAYOUTS } from "#tests/factories/layouts-states.ts";
import { operatedOutbox } from "./operated-outbox.fixture.ts";

const { database, open, act, read, stateOf, put, fail, everything, rowsOf, auditRows } = operatedOutbox();

const WORKS: readonly [MessageAction, MessageState, MessageState | "gone"][] = [
  ["retry", "failed", "pending"],
  ["retry", "dead", "pending"],
  ["dead-letter", "pending", "dead"],
  ["dead-letter", "failed", "dead"],
  ["archive", "published", "archived"],
  ["archive", "dead", "archived"],
  ["restore", "archived", "published"],
  ["purge", "archived", "gone"],
];

const REFUSED: readonly [MessageAction, MessageState][] = [
  ["retry", "pending"],
  ["retry", "published"],
  ["retry", "archived"],
  ["dead-letter", "dead"],
  ["dead-letter", "published"],
  ["archive", "pending"],
  ["archive", "failed"],
  ["archive", "archived"],
  ["restore", "published"],
  ["purge", "published"],
  ["purge", "dead"],
];

// The store's conformance suites cover every verb over every layout; here the service is added.
describe.each(LAYOUTS.filter(({ name }) => name === "(c)" || name === "(e)"))("layout $name", (layout) => {
  test("every action works, and is in the audit once", async () => {
    await open(layout);
    for (const [action, before, after] of WORKS) {
      const id = await put(layout, before);
      await database().pool.query("TRUNCATE outbox_console.audit");
      const operation = await act(action, id);
      expect(operation, `${action} ${before}`).toMatchObject({ done: 1, skipped: 0, failed: 0 });
      expect(operation.outcomes[0]).toMatchObject({
        id,
        outcome: "done",
        stateBefore: before,
        stateAfter: after === "gone" ? null : after,
      });
      if (after === "gone") await expect(read(id)).rejects.toMatchObject({ code: "not_found" });
      else {
        const { message } = await read(id);
        expect(message.state).toBe(after);
        expect(message.version).toBe(operation.outcomes[0]?.version);
      }
      expect(await auditRows()).toEqual([
        {
          actor: "ada",
          role: "admin",
          action: `message.${action}`,
          messageId: id,
          outcome: "done",
          reason: "INC-42",
          before,
          after: after === "gone" ? null : after,
        },
      ]);
    }
  });

  test("each action refuses the wrong state with a sentence, and writes nothing", async () => {
    await open(layout);
    for (const [action, state] of REFUSED) {
      const id = await put(layout, state);
      const before = await everything(layout.table);
      const operation = await act(action, id);
      expect(operation.outcomes[0], `${action} ${state}`).toMatchObject({ outcome: "skipped", code: "wrong_state" });
      expect(operation.outcomes[0]?.message).toMatch(/^[A-Z].+\.$/);
      expect(await everything(layout.table)).toBe(before);
    }
  });

  test("a retry counts attempts from 0 in the table's own columns and beside", async () => {
    await open(layout);
    for (const state of ["failed", "dead"] as const) {
      const id = await put(layout, state);
      await act("retry", id);
      const { message, columns } = await read(id);
      expect(message).toMatchObject({ state: "pending", attempts: 0 });
      const value = (name: string) => columns.find((column) => column.name === name)?.value;
      if (layout.name === "(e)")
        expect([value("status"), value("retry_count"), value("error_message")]).toEqual(["PENDING", "0", null]);
      if (layout.name === "(a) with attempts") expect([value("attempts"), value("last_error")]).toEqual(["0", null]);
      const { rows } = await database().pool.query(
        "SELECT attempts, dead_at, next_attempt_at <= clock_timestamp() AS due FROM outbox_console.delivery WHERE message_id = $1",
        [id],
      );
      expect(rows).toEqual([{ attempts: 0, dead_at: null, due: true }]);
    }
  });

  test("dead-lettered and retried, archived and restored: the row is the same to the byte", async () => {
    await open(layout);
    const native = layout.tells.includes("dead");
    const pending = await put(layout, "pending");
    const published = await put(layout, "published");
    const before = await rowsOf(layout.table);
    await act("dead-letter", pending);
    if (!native) expect(await rowsOf(layout.table)).toHaveLength(1);
    await act("retry", pending);
    await act("archive", published);
    expect(await stateOf(published)).toBe("archived");
    await act("restore", published);
    expect(await rowsOf(layout.table)).toEqual(before);
  });

  test("a dead letter is archived and restored as the dead letter it was, with its error", async () => {
    await open(layout);
    const id = await layout.insert(database().pool, "pending");
    await fail(id);
    await act("dead-letter", id);
    await act("archive", id);
    await act("restore", id);
    const detail = await read(id);
    expect(detail.message.state).toBe("dead");
    if (layout.name !== "(e)" && layout.name !== "(a) with attempts") expect(detail.message.lastError).toBe("HTTP 500");
    expect(detail.firstError).toBe("first");
  });
});
