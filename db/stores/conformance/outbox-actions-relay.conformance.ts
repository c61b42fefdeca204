import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isAppError } from "#domain/errors.ts";
import type { Claim } from "../port/relay/claim.ts";
import type { MessageOutcome } from "../port/relay/settle.ts";
import { troubleOf } from "../port/store-error.ts";
import { DEAD, failed, PUBLISHED, READ_ALL } from "./open-outbox.fixture.ts";
import { AN_HOUR_MS, known, type OperatorDesk, openDesk, type Photo } from "./operator-desk.fixture.ts";
import { BY_CAPABILITY, contrastsOf, type StoreUnderTest } from "./store-under-test.fixture.ts";

const AGGREGATES = 4;
const WAVE = 12;
/** Operators win some of each wave's races; this many waves always give enough wins. */
const MOST_WAVES = 60;
const ENOUGH = 6;
const LOCKED = `${BY_CAPABILITY} an act and a relay lock the outbox, so that nothing comes between`;

/** Outcome of every message of a race. */
interface Race {
  ids: string[];
  sent: string[];
  dead: Set<string>;
  retried: Set<string>;
}

/** Requirements of every engine for messages that operators act on while a relay publishes. */
export function describeActionsDuringRelay(engine: StoreUnderTest): void {
  const contrasts = contrastsOf(engine, "delete");
  describe.each(contrasts)(`actions of ${engine.kind} while a relay publishes, on a table with $name`, (layout) => {
    let desk: OperatorDesk;
    beforeEach(async () => {
      desk = await openDesk(engine, layout, { interruptible: true });
    });
    afterEach(() => desk.close());

    test("each message is published once or dead, none is both, none is lost, and the order is kept", async () => {
      const race: Race = { ids: [], sent: [], dead: new Set(), retried: new Set() };
      let over = false;
      await desk.relay();
      const publishing = publish(race, () => over);
      await actInWaves(race).finally(() => {
        over = true;
      });
      await publishing;
      await expectWhole(race);
    });

    /** Publishes without waiting, one message at a time, until none is left. */
    const publish = async ({ sent }: Race, isOver: () => boolean) => {
      const { table, lease, settle } = await desk.relay();
      for (;;) {
        const wasOver = isOver();
        const retry = await onceFree(() => table.claimDueRetries({ lease, limit: 1, excludeIds: [] }));
        const claim = retry ?? (await onceFree(() => table.claimNew({ ...READ_ALL, lease, limit: 1 }))).claim;
        if (!claim && wasOver) return;
        if (!claim) continue;
        sent.push(...claim.messages.map(({ id }) => id));
        expect(await onceFree(() => settle(claim, PUBLISHED))).toMatchObject({ fenced: [], foreign: [] });
      }
    };

    /** Retries a step as a relay does: on a busy machine an operator's lock may last longer than a statement waits. */
    const onceFree = async <Result>(step: () => Promise<Result>): Promise<Result> => {
      for (;;) {
        try {
          return await step();
        } catch (error) {
          if (troubleOf(error) !== "locked") throw error;
        }
      }
    };

    const actInWaves = async (race: Race) => {
      for (let wave = 0; race.dead.size < ENOUGH || race.retried.size < ENOUGH; wave += 1) {
        if (wave === MOST_WAVES) throw new Error("The operators were never in time.");
        const rows = Array.from({ length: WAVE }, (_, n) => ({ aggregateId: String(n % AGGREGATES) }));
        const ids = await desk.table.insert(rows);
        race.ids.push(...ids);
        await Promise.all([ids.slice(WAVE / 2), ids.slice(0, WAVE / 2)].map((mine) => operate(race, mine.reverse())));
      }
    };

    const operate = async ({ dead, retried }: Race, ids: string[]) => {
      for (const [n, id] of ids.entries()) {
        if (!(await isDone("dead-letter", id))) continue;
        if (n % 2 === 0) dead.add(id);
        else if (await isDone("retry", id)) retried.add(id);
        else throw new Error("A dead message could not be retried.");
      }
    };

    const isDone = (action: "dead-letter" | "retry", id: string) =>
      desk.act(action, id).then(
        () => true,
        (error: unknown) => {
          if (isRefusal(error)) return false;
          throw error;
        },
      );

    const expectWhole = async ({ ids, sent, dead, retried }: Race) => {
      expect([...sent].sort()).toEqual(ids.filter((id) => !dead.has(id)).sort());
      const { counts } = await desk.outbox.read.figures();
      const published = layout.lifecycle === "delete" ? 0 : sent.length;
      expect(counts).toMatchObject({
        pending: { value: 0 },
        failed: { value: 0 },
        in_flight: { value: 0 },
        dead: { value: dead.size },
        published: { value: published },
      });
      const place = new Map(ids.map((id, n) => [id, n]));
      for (let aggregate = 0; aggregate < AGGREGATES; aggregate += 1) {
        const places = sent.filter((id) => !retried.has(id)).map((id) => place.get(id) ?? -1);
        const mine = places.filter((n) => (n % WAVE) % AGGREGATES === aggregate);
        expect(mine).toEqual([...mine].sort((left, right) => left - right));
      }
    };

    /**
     * A message whose relay went silent in the middle of its claim; its lease is over, and no relay took the claim
     * over.
     */
    const leaveBehind = async () => {
      const hand = await desk.relay();
      const [id = ""] = await desk.table.insert([{}]);
      const claim = await hand.claim();
      await hand.table.releaseLease(hand.lease);
      return { id, hand, claim };
    };

    test.each([
      ["dead-letter", "dead"],
      ["retry", "pending"],
    ] as const)("a relay that reports a failure late, after %s, changes nothing", async (action, state) => {
      for (const outcome of [failed(AN_HOUR_MS), DEAD]) {
        const { id, hand, claim } = await leaveBehind();
        await desk.act(action, id);
        const before = await desk.photo(id);
        expect(before.message?.row.state).toBe(state);
        const counts = await desk.counts();
        const settled = await hand.settle(claim, outcome);
        const after = await desk.photo(id);
        expect([after.row, after.message?.row]).toEqual([before.row, before.message?.row]);
        expect(await desk.counts()).toEqual(counts);
        expect(settled).toMatchObject({ published: [], fenced: [id] });
        await hand.acquire({ leaseMs: AN_HOUR_MS });
        if (action === "retry") await desk.act("dead-letter", id);
      }
    });

    test.each(["failed", "spared"] as const)(
      "a message that was dead-lettered before its %s try was taken back stays dead",
      async (kind) => {
        const { table, lease } = await desk.relay();
        const [id = ""] = await desk.table.insert([{}]);
        await desk.publishAlone(id, { ...failed(AN_HOUR_MS), spares: kind === "spared" } as MessageOutcome);
        await desk.act("dead-letter", id);
        const before = await desk.photo(id);
        await table.undoAttempts({ lease, undo: [{ id, tries: 1, charged: kind === "failed" ? 1 : 0 }] });
        const after = await desk.photo(id);
        expect([after.row, after.message?.row]).toEqual([before.row, before.message?.row]);
        expect(await table.claimDueRetries({ lease, limit: 1, excludeIds: [] })).toBeNull();
        expect((await table.claimNew({ ...READ_ALL, lease })).claim).toBeNull();
      },
    );

    test("what is known of a message that was retried before its failed try was taken back stays", async () => {
      const { table, lease, settle } = await desk.relay();
      const [id = ""] = await desk.table.insert([{}]);
      await desk.publishAlone(id, failed(0));
      await settle((await table.claimDueRetries({ lease, limit: 1, excludeIds: [] })) as Claim, failed(AN_HOUR_MS));
      await desk.act("retry", id);
      const before = await desk.photo(id);
      await table.undoAttempts({ lease, undo: [{ id, tries: 1, charged: 1 }] });
      const after = await desk.photo(id);
      expect([after.row, after.message?.row, after.message?.history.firstError]).toEqual([
        before.row,
        before.message?.row,
        before.message?.history.firstError,
      ]);
      expect(before.message?.history.firstError).not.toBeNull();
      expect((await table.claimDueRetries({ lease, limit: 1, excludeIds: [] }))?.messages).toMatchObject([{ id }]);
    });

    test.for(["dead-letter", "retry"] as const)(
      "an operator's %s while a failed try is taken back stands",
      async (action, context) => {
        const { beforeNextWrite } = desk.database;
        if (!beforeNextWrite) return context.skip(LOCKED);
        await desk.table.keepRows?.();
        const { table, lease, settle } = await desk.relay();
        const [id = ""] = await desk.table.insert([{}]);
        await desk.publishAlone(id, failed(0));
        const again = await table.claimDueRetries({ lease, limit: 1, excludeIds: [] });
        await settle(again as Claim, failed(AN_HOUR_MS));
        const acted: Photo[] = [];
        beforeNextWrite(async () => {
          await desk.act(action, id);
          acted.push(await desk.photo(id));
        });
        await table.undoAttempts({ lease, undo: [{ id, tries: 1, charged: 1 }] });
        const now = await desk.photo(id);
        expect([[now.row, now.message?.row]]).toEqual(acted.map(({ row, message }) => [row, message?.row]));
      },
    );

    test("what is known of a message stays when an operator dead-letters it while its retry is claimed", async (context) => {
      const { beforeNextRead } = desk.database;
      if (!beforeNextRead) return context.skip(LOCKED);
      await desk.table.keepRows?.();
      const { table, lease } = await desk.relay();
      const [id = ""] = await desk.table.insert([{}]);
      await desk.publishAlone(id, failed(0));
      const acted: Photo[] = [];
      beforeNextRead(async () => {
        await desk.act("dead-letter", id);
        acted.push(await desk.photo(id));
      });
      expect(await table.claimDueRetries({ lease, limit: 1, excludeIds: [] })).toBeNull();
      expect([known(await desk.photo(id))]).toEqual(acted.map(known));
    });

    test("a message that another program published before its try was taken back is not sent again", async () => {
      if (layout.lifecycle === "delete") return;
      const { table, lease } = await desk.relay();
      const [id = ""] = await desk.table.insert([{}]);
      await desk.publishAlone(id, failed(AN_HOUR_MS));
      await desk.table.publishByOther(id);
      await table.undoAttempts({ lease, undo: [{ id, tries: 1, charged: 1 }] });
      expect((await desk.outbox.read.message(id))?.row.state).toBe("published");
      expect((await table.claimNew({ ...READ_ALL, lease })).claim).toBeNull();
    });

    test("a relay that reports late what it published: it is published, and not sent again", async () => {
      const { id, hand, claim } = await leaveBehind();
      await desk.act("retry", id);
      expect(await hand.settle(claim, PUBLISHED)).toMatchObject({ published: [id] });
      const message = await desk.outbox.read.message(id);
      expect(message?.row.state ?? "gone").toBe(layout.lifecycle === "delete" ? "gone" : "published");
      const { table, lease } = hand;
      await hand.acquire({ leaseMs: AN_HOUR_MS });
      expect(await table.claimDueRetries({ lease: hand.lease, limit: 1, excludeIds: [] })).toBeNull();
      expect((await table.claimNew({ ...READ_ALL, lease: hand.lease })).claim).toBeNull();
      expect(hand.lease.epoch).toBeGreaterThan(lease.epoch);
    });

    test("a relay that reports late what it published of a dead message is believed, or told that it came too late", async () => {
      const { id, hand, claim } = await leaveBehind();
      await desk.act("dead-letter", id);
      const { published } = await hand.settle(claim, PUBLISHED);
      const state = (await desk.outbox.read.message(id))?.row.state;
      expect(state).toBe(published.includes(id) ? "published" : "dead");
    });
  });
}

/** Refusals that an operator may get during a relay's work. */
function isRefusal(error: unknown): boolean {
  return isAppError(error) && ["conflict", "in_flight", "wrong_state", "not_found", "locked"].includes(error.code);
}
