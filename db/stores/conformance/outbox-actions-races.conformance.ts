import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MESSAGE_ACTIONS, type MessageAction, type MessageState } from "#domain/message/message-state.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { Claim } from "../port/relay/claim.ts";
import { decisionIn } from "../port/seen-version.ts";
import { failed, GIVEN_BACK, openOutbox, PUBLISHED } from "./open-outbox.fixture.ts";
import { ADA, AN_HOUR_MS, type OperatorDesk, openDesk, PATIENT_MS, REASON, statesOf } from "./operator-desk.fixture.ts";
import { contrastsOf, NO_COLUMNS, NO_RELAY, NO_ROW_LOCKS, type StoreUnderTest } from "./store-under-test.fixture.ts";

const FROM: Record<MessageAction, MessageState> = {
  retry: "failed",
  "dead-letter": "pending",
  archive: "dead",
  restore: "archived",
  purge: "archived",
};
const CLICKS = 6;

/** Requirements of every engine for operators who act at the same time. */
export function describeRacingActions(engine: StoreUnderTest): void {
  const contrasts = contrastsOf(engine, "status");
  describe.each(contrasts)(`actions of ${engine.kind} that meet others, on a table with $name`, (layout) => {
    let desk: OperatorDesk;
    beforeEach(async () => {
      desk = await openDesk(engine, layout);
    });
    afterEach(() => desk.close());

    /** State in which each action begins; without a relay only some tables record a failure. */
    const from = (action: MessageAction): MessageState =>
      statesOf(layout, engine).includes(FROM[action]) ? FROM[action] : "dead";
    const gone = layout.lifecycle === "delete" ? "not_found" : "conflict";

    test("of operators who click at once one wins, and the others meet what changed", async () => {
      const other = await openOutbox(desk.database.openStore(), desk.table);
      for (const action of MESSAGE_ACTIONS) {
        const id = await desk.put(from(action));
        const version = await desk.versionOf(id);
        const verb = { action, id, version, actor: ADA, reason: REASON, dryRun: false };
        const clicks = Array.from({ length: CLICKS }, (_, n) =>
          (n % 2 === 0 ? desk.outbox : other).act.perform({ ...verb, operationId: randomUUID() }, PATIENT_MS),
        );
        const answers = await Promise.allSettled(clicks);
        const lost = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason.code] : []));
        expect(lost, action).toEqual(Array(CLICKS - 1).fill(action === "purge" ? "not_found" : "conflict"));
        const audit = (await desk.auditOf(id)).filter((row) => row.action === `message.${action}`);
        expect(audit, action).toHaveLength(1);
      }
    });

    test("what another program published meanwhile is not acted on", async () => {
      const id = await desk.put("pending");
      const version = await desk.versionOf(id);
      await desk.table.publishByOther(id);
      const before = await desk.photo(id);
      await expect(desk.act("dead-letter", id, { version })).rejects.toMatchObject({ code: gone });
      expect(await desk.photo(id)).toEqual(before);
    });

    test("a version from before another action is a conflict, and changes nothing", async () => {
      const id = await desk.put("dead");
      const version = await desk.versionOf(id);
      await desk.act("archive", id);
      await desk.act("restore", id);
      const before = await desk.photo(id);
      await expect(desk.act("retry", id, { version })).rejects.toMatchObject({ code: "conflict" });
      expect(await desk.photo(id)).toEqual(before);
    });

    test("a message that a relay has claimed is waited for: given back it is acted on, published it is not", async (context) => {
      if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
      for (const [outcome, code] of [
        [GIVEN_BACK, null],
        [PUBLISHED, gone],
      ] as const) {
        const [id = ""] = await desk.table.insert([{}]);
        const hand = await desk.relay();
        const claim: Claim = await hand.claim();
        const acting = desk.act("dead-letter", id, { waitMs: PATIENT_MS }).then(
          (result) => result,
          (error: unknown) => error,
        );
        await expect(desk.act("dead-letter", id)).rejects.toMatchObject({ code: "in_flight" });
        await hand.settle(claim, outcome);
        expect(await acting).toMatchObject(code === null ? { stateAfter: "dead" } : { code });
      }
    });

    test("another attempt with the same outcome leaves an operator's decision standing, another act does not", async (context) => {
      if (!desk.store.capabilities.relays) return context.skip(NO_RELAY);
      const [id = ""] = await desk.table.insert([{}]);
      await desk.publishAlone(id, failed(0));
      const version = await desk.versionOf(id);
      expect(decisionIn(version)).not.toBeNull();
      expect((await desk.outbox.read.find([id], { decided: true }))[0]?.version).toBe(version);
      const hand = await desk.relay();
      const again = await hand.table.claimDueRetries({ lease: hand.lease, limit: 1, excludeIds: [] });
      await hand.settle(again as Claim, failed(0));
      expect(await desk.act("retry", id, { version })).toMatchObject({ stateBefore: "failed" });
      const retried = await hand.table.claimDueRetries({ lease: hand.lease, limit: 1, excludeIds: [] });
      await hand.settle(retried as Claim, failed(AN_HOUR_MS));
      await expect(desk.act("dead-letter", id, { version })).rejects.toMatchObject({ code: "conflict" });
      expect(await desk.act("dead-letter", id)).toMatchObject({ stateAfter: "dead" });
    });

    test("a row that another program has locked is waited for, while claims go on; then it is locked", async (context) => {
      if (!desk.table.lockRow) return context.skip(NO_ROW_LOCKS);
      const id = await desk.put("pending");
      const lock = await desk.table.lockRow(id);
      const version = await desk.versionOf(id);
      const before = await desk.photo(id);
      await expect(desk.act("dead-letter", id, { version, waitMs: 200 })).rejects.toMatchObject({ code: "locked" });
      expect(await desk.photo(id)).toEqual(before);
      let released = false;
      const acting = desk
        .act("dead-letter", id, { version, waitMs: PATIENT_MS })
        .then((result) => ({ result, released }));
      const [free = ""] = await desk.table.insert([{}]);
      const hand = await desk.relay();
      const claim = await hand.claim({ excludeIds: [id] });
      expect(claim.messages.map((message) => message.id)).toEqual([free]);
      await hand.settle(claim, PUBLISHED);
      released = true;
      await lock.release();
      expect(await acting).toMatchObject({ released: true, result: { stateAfter: "dead" } });
    });

    test("the session that has locked a row is named, where the engine can tell", async (context) => {
      if (!desk.table.lockRow) return context.skip(NO_ROW_LOCKS);
      const id = await desk.put("pending");
      expect(await desk.outbox.act.lockHolder(id)).toBeNull();
      const lock = await desk.table.lockRow(id);
      if (!desk.store.capabilities.namesLockHolders) {
        await expect(desk.act("dead-letter", id)).rejects.toMatchObject({ code: "locked" });
        return lock.release();
      }
      const holder = await desk.outbox.act.lockHolder(id);
      expect(holder).toMatch(/\S/);
      const [session = ""] = holder?.split(",") ?? [];
      await expect(desk.act("dead-letter", id)).rejects.toMatchObject({ message: expect.stringContaining(session) });
      await lock.release();
      const isFree = async () => (await desk.outbox.act.lockHolder(id)) === null;
      await waitFor(isFree, { message: "nobody is named once the row is free" });
    });

    test("nothing is changed in a table that no longer fits its accepted mapping", async (context) => {
      if (!desk.table.renamePayloadColumn) return context.skip(NO_COLUMNS);
      const ids = new Map<MessageAction, string>();
      for (const action of MESSAGE_ACTIONS) ids.set(action, await desk.put(from(action)));
      const versions = new Map<string, string>();
      for (const id of ids.values()) versions.set(id, await desk.versionOf(id));
      await desk.table.renamePayloadColumn();
      for (const [action, id] of ids) {
        const look = async () => [await desk.table.row(id), await desk.auditOf(id), await desk.counts()];
        const before = await look();
        const acting = desk.act(action, id, { version: versions.get(id) ?? "" });
        await expect(acting, action).rejects.toMatchObject({ code: "wrong_state" });
        expect(await look(), action).toEqual(before);
      }
    });
  });
}
