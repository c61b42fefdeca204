import { describe, expect, test } from "vitest";
import type { ColumnRole } from "../../port/mapping.ts";
import { LeaseLostError } from "../../port/relay/lease.ts";
import type { MessageOutcome } from "../../port/relay/settle.ts";
import { DEAD, failed, GIVEN_BACK, PUBLISHED } from "../open-outbox.fixture.ts";
import { type StoreUnderTest, tellsNatively } from "../store-under-test.fixture.ts";
import {
  AN_HOUR_MS,
  claimIds,
  claimRetries,
  dieFor,
  idsOf,
  inFlight,
  settleEach,
  stageRelays,
} from "./relay-stage.fixture.ts";

/** Writes of each outcome, in the table's own columns and in the records that the console reads. */
export function describeRelaySettle(engine: StoreUnderTest): void {
  describe.each(engine.layouts)(`${engine.kind} as a table of outcomes, with $name`, (layout) => {
    const stage = stageRelays(engine, layout);

    const textOf = (row: Record<string, string | null> | null, role: ColumnRole) =>
      row?.[stage.table.mapping.columns[role]?.name ?? ""];
    /** Value of the column that marks the state; undefined if the row's presence shows it. */
    const stateOf = (row: Record<string, string | null> | null) => {
      const { lifecycle } = stage.table.mapping;
      return "column" in lifecycle ? row?.[lifecycle.column.name] : undefined;
    };
    const message = async (id: string) => {
      const found = await stage.outbox.read.message(id);
      if (!found) throw new Error(`The message ${id} is not there.`);
      return found;
    };
    /** A claimed message and another one, with their rows before. */
    const claimTwo = async () => {
      const hand = await stage.owner();
      const [id, other] = (await stage.table.insert([{}, { aggregateId: "b" }])) as [string, string];
      const before = await stage.table.row(id);
      const claim = await hand.claim();
      const settle = (outcome: MessageOutcome) =>
        settleEach(hand, claim, (settled) => (settled.id === id ? outcome : GIVEN_BACK));
      return { hand, id, other, before, claim, settle };
    };

    test("published: marked as the table's own programs do, and never claimed again", async () => {
      const { hand, id, other, before, settle } = await claimTwo();
      const result = await settle(PUBLISHED);
      expect(result).toMatchObject({ published: [id], fenced: [], foreign: [] });
      expect(result.latenciesMs).toHaveLength(1);
      expect(result.latenciesMs[0]).toBeLessThan(AN_HOUR_MS);
      const row = await stage.table.row(id);
      if (tellsNatively(layout).includes("published")) {
        const [sibling] = await stage.table.insert([{ state: "published" }]);
        const told = stateOf(await stage.table.row(sibling!));
        if (layout.lifecycle === "timestamp") expect(stateOf(row)).not.toBeNull();
        else expect(stateOf(row)).toBe(told);
        expect(textOf(row, "payload")).toBe(textOf(before, "payload"));
        expect((await message(id)).row.state).toBe("published");
      } else {
        expect(row).toBeNull();
        expect(await stage.outbox.read.message(id)).toBeNull();
      }
      expect(await claimIds(hand)).toEqual([other]);
      expect(await claimRetries(hand)).toBeNull();
    });

    test("failed: counted once, with its error, and left to the retry path", async () => {
      const { hand, id, other, before, settle } = await claimTwo();
      expect(await settle(failed(AN_HOUR_MS))).toEqual({
        published: [],
        fenced: [],
        foreign: [],
        replaced: [],
        latenciesMs: [],
      });
      const row = await stage.table.row(id);
      expect(stateOf(row)).toBe(stateOf(before));
      expect(textOf(row, "payload")).toBe(textOf(before, "payload"));
      if (layout.attempts) {
        expect([textOf(row, "attempts"), textOf(row, "lastError")]).toEqual(["1", "HTTP 500 from the gateway"]);
      }
      const { row: read, history } = await message(id);
      expect(read).toMatchObject({ state: "failed", attempts: 1, lastErrorCode: "server_error" });
      expect(Date.parse(read.nextAttemptAt ?? "") - Date.now()).toBeGreaterThan(AN_HOUR_MS / 2);
      expect(history.attempts).toMatchObject([
        { number: 1, outcome: "failed", code: "server_error", relay: hand.lease.owner, sink: "test" },
      ]);
      expect(await claimIds(hand)).toEqual([other]);
      expect(await claimRetries(hand)).toBeNull();
    });

    test("failed, and spared: it waits, and nothing is charged", async () => {
      const { hand, id, settle } = await claimTwo();
      await settle({ ...failed(AN_HOUR_MS), spares: true } as MessageOutcome);
      expect((await message(id)).row.attempts ?? 0).toBe(0);
      if (layout.attempts) expect(textOf(await stage.table.row(id), "attempts")).toBe("0");
      expect(await claimIds(hand)).not.toContain(id);
    });

    test("dead: told as the table tells it, or kept beside it, and left alone by every claim", async () => {
      const { hand, id, other, before, settle } = await claimTwo();
      await settle(DEAD);
      const row = await stage.table.row(id);
      const { row: read, history } = await message(id);
      expect(read).toMatchObject({ id, state: "dead", lastErrorCode: "server_error" });
      expect(history.attempts).toMatchObject([{ number: 1, outcome: "dead" }]);
      expect(history.firstError).toBe("HTTP 500 from the gateway");
      if (stage.outbox.act.marksDead) {
        expect(textOf(row, "payload")).toBe(textOf(before, "payload"));
        const [sibling] = await stage.table.insert([{ state: "dead" }]);
        const native = await stage.table.row(sibling!);
        expect(stateOf(row)).toBe(stateOf(native));
        if (layout.lifecycle !== "status") expect(textOf(row, "attempts")).toBe(textOf(native, "attempts"));
      } else if ((await stage.outbox.act.whyRowsStay()) === null) expect(row).toBeNull();
      else expect(row).toEqual(before);
      expect(await claimIds(hand)).toEqual([other]);
      expect(await claimRetries(hand)).toBeNull();
      expect(await hand.table.listRetries({ lease: hand.lease })).toEqual([]);
    });

    test("given back: the row is as it was, and is claimed again in its place", async () => {
      const { hand, id, other, before, settle } = await claimTwo();
      expect(await settle(GIVEN_BACK)).toEqual({
        published: [],
        fenced: [],
        foreign: [],
        replaced: [],
        latenciesMs: [],
      });
      expect(await stage.table.row(id)).toEqual(before);
      const { row, history } = await message(id);
      expect([row.state, row.attempts ?? 0, history.attempts]).toEqual(["pending", 0, []]);
      expect(await claimIds(hand)).toEqual([id, other]);
    });

    test("outcomes of all kinds in one settle are each written", async () => {
      const hand = await stage.owner();
      const [a, b, c, d] = (await stage.table.insert(["a", "b", "c", "d"].map((aggregateId) => ({ aggregateId })))) as [
        string,
        string,
        string,
        string,
      ];
      const claim = await hand.claim();
      const outcomes: Record<string, MessageOutcome> = { [a]: PUBLISHED, [b]: failed(0), [c]: DEAD, [d]: GIVEN_BACK };
      const result = await settleEach(hand, claim, ({ id }) => outcomes[id] ?? GIVEN_BACK);
      expect(result).toMatchObject({ published: [a], fenced: [], foreign: [] });
      expect(await claimIds(hand)).toEqual([d]);
      expect(idsOf(await claimRetries(hand))).toEqual([b]);
      expect((await message(c)).row.state).toBe("dead");
    });

    test("each failure counts once more, and a success ends what was kept of them but the history", async () => {
      const { hand, id, settle } = await claimTwo();
      await settle(failed(0));
      const second = (await claimRetries(hand))!;
      expect(second.messages).toMatchObject([{ id, attempts: 1, retried: true }]);
      await hand.settle(second, failed(0));
      if (layout.attempts) expect(textOf(await stage.table.row(id), "attempts")).toBe("2");
      const third = (await claimRetries(hand))!;
      expect(third.messages).toMatchObject([{ id, attempts: 2 }]);
      expect((await hand.settle(third, PUBLISHED)).published).toEqual([id]);
      expect(await claimRetries(hand)).toBeNull();
      if (layout.lifecycle === "delete") return;
      const { history } = await message(id);
      expect(history.attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
        [3, "published"],
        [2, "failed"],
        [1, "failed"],
      ]);
    });

    test("attempts that are taken back leave a message as if they had not been, but for the history", async () => {
      const { hand, id, settle } = await claimTwo();
      await settle(failed(AN_HOUR_MS));
      await hand.table.undoAttempts({ lease: hand.lease, undo: [{ id, tries: 1, charged: 1 }] });
      const { row, history } = await message(id);
      expect([row.state, row.attempts ?? 0]).toEqual(["pending", 0]);
      expect(history.attempts).toMatchObject([{ outcome: "given_back" }]);
      if (layout.attempts) expect(textOf(await stage.table.row(id), "attempts")).toBe("0");
      const claim = await hand.claim({ limit: 1 });
      expect(claim.messages).toMatchObject([{ id, attempts: 0 }]);
    });

    test("a spared try that is taken back leaves no trace but in the history", async () => {
      const { hand, id, settle } = await claimTwo();
      await settle({ ...failed(AN_HOUR_MS), spares: true } as MessageOutcome);
      await hand.table.undoAttempts({ lease: hand.lease, undo: [{ id, tries: 1, charged: 0 }] });
      const { row, history } = await message(id);
      expect([row.state, row.attempts ?? 0]).toEqual(["pending", 0]);
      expect(history.attempts).toMatchObject([{ outcome: "given_back" }]);
      expect((await hand.claim({ limit: 1 })).messages).toMatchObject([{ id, attempts: 0 }]);
    });

    test("what succeeded or died before its try was taken back stays so, in its row and in the history", async () => {
      const { hand, id, other, claim } = await claimTwo();
      await hand.settle(claim, failed(0));
      const outcomeOf = (of: string) => (of === id ? PUBLISHED : DEAD);
      await settleEach(hand, (await claimRetries(hand))!, (settled) => outcomeOf(settled.id));
      const rows = () => Promise.all([id, other].map((of) => stage.table.row(of)));
      const before = await rows();
      const undo = [id, other].map((of) => ({ id: of, tries: 1, charged: 1 }));
      await hand.table.undoAttempts({ lease: hand.lease, undo });
      expect(await rows()).toEqual(before);
      const dead = await message(other);
      expect([dead.row.state, dead.history.attempts[0]?.outcome]).toEqual(["dead", "dead"]);
      expect(await claimRetries(hand)).toBeNull();
      if (layout.lifecycle === "delete") return;
      expect((await message(id)).history.attempts[0]).toMatchObject({ number: 2, outcome: "published" });
    });

    test("of two attempts one is taken back: it waits with the other, and is due at once", async () => {
      const { hand, id, settle } = await claimTwo();
      await settle(failed(0));
      await hand.settle((await claimRetries(hand))!, failed(AN_HOUR_MS));
      await hand.table.undoAttempts({ lease: hand.lease, undo: [{ id, tries: 1, charged: 1 }] });
      expect((await message(id)).row).toMatchObject({ state: "failed", attempts: 1 });
      if (layout.attempts) expect(textOf(await stage.table.row(id), "attempts")).toBe("1");
      expect((await claimRetries(hand))?.messages).toMatchObject([{ id, attempts: 1 }]);
    });

    test("an owner whose term is over takes back no attempt: it may be the next owner's", async () => {
      const { hand, id, settle } = await claimTwo();
      await settle(failed(0));
      const next = stage.relay("next");
      await dieFor(hand, next);
      await next.settle((await claimRetries(next))!, failed(AN_HOUR_MS));
      const known = async () => {
        const { row, history } = await message(id);
        return [row.state, row.attempts, history.attempts, await stage.table.row(id)];
      };
      const before = await known();
      const late = hand.table.undoAttempts({ lease: hand.lease, undo: [{ id, tries: 1, charged: 1 }] });
      await expect(late).rejects.toThrow(LeaseLostError);
      expect(await known()).toEqual(before);
    });

    test("a claim that goes on keeps what is not settled yet, and no more", async () => {
      const { hand, id, other, claim } = await claimTwo();
      const entry = (of: string, outcome: MessageOutcome) => ({
        token: claim.token,
        message: claim.messages.find((one) => one.id === of)!,
        outcome,
      });
      const settle = (of: string, outcome: MessageOutcome, endedTokens: string[]) =>
        hand.table.settle({ lease: hand.lease, entries: [entry(of, outcome)], endedTokens, afterDoubt: false });
      await settle(id, failed(AN_HOUR_MS), []);
      expect((await message(id)).row.state).toBe("failed");
      expect((await message(other)).row.state).toBe("in_flight");
      expect((await settle(other, PUBLISHED, [claim.token])).published).toEqual([other]);
      expect(await inFlight(stage.outbox)).toBe(0);
    });
  });
}
