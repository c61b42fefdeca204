import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MESSAGE_ACTIONS, type MessageAction, type MessageState } from "#domain/message/message-state.ts";
import type { PauseChange } from "../port/outbox-actions.ts";
import { type CutTry, cutEach, onceAgain } from "./cut-each.fixture.ts";
import { ADA, type OperatorDesk, openDesk, PATIENT_MS, REASON } from "./operator-desk.fixture.ts";
import { byName, layoutsOf, type StoreUnderTest } from "./store-under-test.fixture.ts";

/** Actions by which an operator prepares a message for each action. */
const PREPARED_BY: Record<MessageAction, MessageAction[]> = {
  retry: ["dead-letter"],
  "dead-letter": [],
  archive: ["dead-letter"],
  restore: ["dead-letter", "archive"],
  purge: ["dead-letter", "archive"],
};
const ENDS_IN: Record<MessageAction, MessageState | null> = {
  retry: "pending",
  "dead-letter": "dead",
  archive: "archived",
  restore: "dead",
  purge: null,
};
/**
 * Layouts with the longest actions: dead messages leave the table, and move to the team's archive if it can have one.
 */
const LONGEST = [byName("outbox and archive tables"), byName("timestamp")];
const PAUSE: PauseChange = {
  subject: { scope: "event_type", subject: "order.placed" },
  actor: ADA,
  reason: REASON,
  detail: "for a while",
};

/** Requirements of every engine for actions whose connection breaks. */
export function describeCutActions(engine: StoreUnderTest): void {
  const layouts = layoutsOf(engine, LONGEST).slice(0, 1);
  describe.each(layouts)(`actions of ${engine.kind} whose connection is cut, on a table with $name`, (layout) => {
    let desk: OperatorDesk;
    beforeAll(async () => {
      desk = await openDesk(engine, layout, { cuttable: true });
    });
    afterAll(() => desk.close());

    const prepare = async (action: MessageAction) => {
      const [id = ""] = await desk.table.insert([{}]);
      for (const step of PREPARED_BY[action]) await desk.act(step, id, { waitMs: PATIENT_MS });
      return id;
    };

    /** The state, the rows and the audit, which change together. */
    const look = async (id: string) => ({
      message: (await desk.outbox.read.message(id))?.row ?? null,
      rows: [await desk.table.row(id), layout.archiveTable ? await desk.table.row(id, "archive") : null],
      audit: await desk.auditOf(id),
    });

    /** Outcome of a message in the operation's record, once no part of the operation is in progress. */
    const settledChanges = async (id: string) => {
      let changes = -1;
      const finish = (known: readonly unknown[]) => {
        changes = known.length;
        return {};
      };
      await onceAgain(() => desk.store.records.settleOperation({ id, outbox: desk.table.name, finish }));
      return changes;
    };

    test.each(MESSAGE_ACTIONS)("%s is done with its audit row, or neither, wherever it is cut", async (action) => {
      const tried = async (cut: Parameters<CutTry>[0]) => {
        const id = await onceAgain(() => prepare(action));
        const before = await onceAgain(() => look(id));
        const operationId = randomUUID();
        await onceAgain(() => desk.store.records.beginOperation(operationOf(operationId, action), () => ({})));
        const version = before.message?.version ?? "";
        await cut(() => desk.act(action, id, { version, operationId, waitMs: PATIENT_MS }));
        const changes = await settledChanges(operationId);
        const after = await onceAgain(() => look(id));
        if (changes === 0) {
          expect(without(after)).toEqual(without(before));
          return false;
        }
        expect(changes).toBe(1);
        expect(after.message?.state ?? null).toBe(ENDS_IN[action]);
        expect(after.audit.length).toBe(before.audit.length + 1);
        expect(after.audit[0]).toMatchObject({ operationId, stateAfter: ENDS_IN[action] });
        return true;
      };
      expect(await cutEach(desk.database, tried)).toBeGreaterThan(3);
    });

    const operationOf = (id: string, action: MessageAction) => ({
      id,
      outbox: desk.table.name,
      action,
      actor: ADA,
      reason: REASON,
      idempotencyKey: null,
      requestHash: "hash",
    });

    const pauses = async () => (await desk.store.records.relays(desk.table.name)).paused.pauses.length;
    const auditRows = async (action: string) =>
      (await desk.store.records.audit({ filter: { action }, before: null, limit: 1000 })).length;

    test("a pause begins with its audit row, or neither, wherever it is cut", async () => {
      const tried = async (cut: Parameters<CutTry>[0]) => {
        await onceAgain(() => desk.outbox.act.resume(PAUSE));
        const before = await onceAgain(() => auditRows("relay.pause"));
        await cut(() => desk.outbox.act.pause({ ...PAUSE, minutes: null }));
        const changed = (await onceAgain(pauses)) === 1;
        expect(await onceAgain(() => auditRows("relay.pause"))).toBe(before + (changed ? 1 : 0));
        return changed;
      };
      expect(await cutEach(desk.database, tried)).toBeGreaterThan(1);
    });

    test("a pause ends with its audit row, or neither, wherever it is cut", async () => {
      const tried = async (cut: Parameters<CutTry>[0]) => {
        await onceAgain(() => desk.outbox.act.pause({ ...PAUSE, minutes: null }));
        const before = await onceAgain(() => auditRows("relay.resume"));
        await cut(() => desk.outbox.act.resume(PAUSE));
        const changed = (await onceAgain(pauses)) === 0;
        expect(await onceAgain(() => auditRows("relay.resume"))).toBe(before + (changed ? 1 : 0));
        return changed;
      };
      expect(await cutEach(desk.database, tried)).toBeGreaterThan(1);
    });
  });
}

/** Ages change with time. */
function without<T extends { message: { ageSeconds: number | null } | null }>(seen: T): unknown {
  return { ...seen, message: seen.message && { ...seen.message, ageSeconds: null } };
}
