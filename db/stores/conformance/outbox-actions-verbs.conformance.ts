import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MESSAGE_ACTIONS, type MessageAction, type MessageState } from "#domain/message/message-state.ts";
import { ADA, type OperatorDesk, openDesk, REASON, statesOf } from "./operator-desk.fixture.ts";
import type { Layout, StoreUnderTest } from "./store-under-test.fixture.ts";

/** State after each action, by the state before; the action refuses states that are missing here. */
const LEADS_TO: Record<MessageAction, Partial<Record<MessageState, MessageState | "gone">>> = {
  retry: { failed: "pending", dead: "pending" },
  "dead-letter": { pending: "dead", failed: "dead", unknown: "dead" },
  archive: { published: "archived", dead: "archived", expired: "archived" },
  restore: { archived: "dead" },
  purge: { archived: "gone" },
};

const archivable = (layout: Layout, engine: StoreUnderTest) =>
  statesOf(layout, engine).filter((state) => LEADS_TO.archive[state]);

/** Requirements of every engine for an operator's actions on one message. */
export function describeVerbs(engine: StoreUnderTest): void {
  describe.each(engine.layouts)(`actions of ${engine.kind} on a table with $name`, (layout) => {
    let desk: OperatorDesk;
    beforeAll(async () => {
      desk = await openDesk(engine, layout);
    });
    afterAll(() => desk.close());

    const expectDone = async (action: MessageAction, id: string, [before, after]: [MessageState, string]) => {
      const operationId = randomUUID();
      const audited = (await desk.auditOf(id)).length;
      const stateAfter = after === "gone" ? null : after;
      const result = await desk.act(action, id, { operationId });
      expect(result, `${action} ${before}`).toMatchObject({ stateBefore: before, stateAfter });
      expect(result.message).toMatch(/^[A-Z].+\.$/);
      expect(result.version ?? "").toBe(await desk.versionOf(id));
      const audit = await desk.auditOf(id);
      expect(audit).toHaveLength(audited + 1);
      expect(audit[0]).toMatchObject({
        actor: ADA.name,
        role: ADA.role,
        action: `message.${action}`,
        outbox: desk.table.name,
        messageId: id,
        operationId,
        outcome: "done",
        reason: REASON,
        stateBefore: before,
        stateAfter,
        detail: result.message,
      });
    };

    const expectRefused = async (action: MessageAction, id: string, state: MessageState) => {
      const before = await desk.photo(id);
      const code = state === "in_flight" ? "in_flight" : "wrong_state";
      const refusal = { code, message: expect.stringMatching(/^[A-Z].+\.$/) };
      await expect(desk.act(action, id), `${action} ${state}`).rejects.toMatchObject(refusal);
      expect(await desk.photo(id), `${action} ${state}`).toEqual(before);
    };

    test.each(MESSAGE_ACTIONS)(
      "%s works from each state it is meant for; elsewhere it is refused and changes nothing",
      async (action) => {
        const book = new Map<string, MessageState>();
        for (const state of statesOf(layout, engine)) {
          const id = await desk.put(state);
          const after = LEADS_TO[action][state];
          if (after) await expectDone(action, id, [state, after]);
          else await expectRefused(action, id, state);
          if (after !== "gone") book.set(id, after ?? state);
        }
        await desk.expectStates(book);
      },
    );

    test("a dry run says what it found and changes nothing, and refuses what the action would", async () => {
      for (const state of statesOf(layout, engine)) {
        const id = await desk.put(state);
        const before = await desk.photo(id);
        for (const action of MESSAGE_ACTIONS) {
          const trial = desk.act(action, id, { dryRun: true });
          if (LEADS_TO[action][state]) expect(await trial).toMatchObject({ stateBefore: state, stateAfter: null });
          else await expect(trial).rejects.toMatchObject({ code: expect.stringMatching(/^(wrong_state|in_flight)$/) });
        }
        expect(await desk.photo(id), state).toEqual(before);
      }
    });

    test("a restore gives back the state a message had when it was archived", async () => {
      const book = new Map<string, MessageState>();
      for (const state of archivable(layout, engine)) {
        const id = await desk.put(state);
        await desk.act("archive", id);
        await expectDone("restore", id, ["archived", state]);
        book.set(id, state);
      }
      await desk.expectStates(book);
    });

    test("a purged message is not found, by any action", async () => {
      const id = await desk.put("archived");
      await desk.act("purge", id);
      expect(await desk.outbox.read.message(id)).toBeNull();
      expect([await desk.table.row(id), layout.archiveTable && (await desk.table.row(id, "archive"))]).toEqual([
        null,
        layout.archiveTable ? null : false,
      ]);
      for (const action of MESSAGE_ACTIONS)
        await expect(desk.act(action, id, { version: "1" })).rejects.toMatchObject({ code: "not_found" });
      await expect(desk.act("retry", "no id at all!", { version: "1" })).rejects.toMatchObject({ code: "not_found" });
    });

    test("says whether its own columns can tell a dead message", async () => {
      expect(desk.outbox.act.marksDead).toBe(layout.attempts);
      const id = await desk.put("pending");
      const before = await desk.table.row(id);
      await desk.act("dead-letter", id);
      const after = await desk.table.row(id);
      if (layout.attempts) expect(after).not.toEqual(before);
      else expect([null, before]).toContainEqual(after);
    });

    test("tells the order of first deliveries, of dead ones too; ids of no message come last", async () => {
      const ids = await desk.table.insert(Array.from({ length: 12 }, (_, n) => ({ aggregateId: String(n % 3) })));
      for (const id of ids.filter((_, n) => n % 4 === 0)) await desk.act("dead-letter", id);
      const [nobody, garbage] = [randomUUID(), "~garbage"];
      const mixed = [nobody, ...ids.filter((_, n) => n % 2 === 1), garbage, ...ids.filter((_, n) => n % 2 === 0)];
      expect(await desk.outbox.act.inOrder(mixed)).toEqual([...ids, nobody, garbage]);
      expect(await desk.outbox.act.inOrder([])).toEqual([]);
    });
  });
}
