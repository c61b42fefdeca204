import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { MessageOutcome } from "#db/stores/port/relay/settle.ts";
import { StoreError } from "#db/stores/port/store-error.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { OutcomeHandler } from "../publish/outcome-handler.ts";
import { type ClaimedMessage, Lanes } from "../state/lanes/lanes.ts";
import { Pauses } from "../state/pauses.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { RelayStats } from "../state/relay-stats.ts";
import { Release } from "../state/release.ts";
import { Retries } from "../state/retries.ts";
import { Watermark } from "../state/watermark.ts";
import { WentBack } from "../state/went-back.ts";
import { Withheld } from "../state/withheld.ts";
import { SettleEffects } from "./settle-effects.ts";

const at = (place: number): OrderKey => [String(place), ""];
const FAILED: MessageOutcome = {
  ...{ kind: "failed", startedAt: new Date(0), durationMs: 1, nextAttemptInMs: 1000 },
  failure: { code: "server_error", kind: "ambiguous", message: "HTTP 500" },
};

describe("outcomes that were written", () => {
  let undone: string[][];
  let refusal: Error | null;
  /** Set for a store that refunds one message at a time, and refuses this one. */
  let refused: string | null;
  let lanes: Lanes;
  let effects: SettleEffects;
  let stats: RelayStats;
  const settle = (...batch: ClaimedMessage[]) =>
    effects.settled(
      batch.map((claimed) => ({ claimed, outcome: FAILED })),
      { published: [], latenciesMs: [], fenced: [], foreign: [], replaced: [] },
    );
  const refund = (...batch: ClaimedMessage[]) =>
    effects.refund(batch.map(({ message: { id } }) => ({ id, tries: 1, charged: 1 })));

  beforeEach(() => {
    undone = [];
    refusal = null;
    refused = null;
    lanes = new Lanes(compareOrder);
    const table = {
      compareOrder,
      listRetries: async () => [],
      get undoesSingly() {
        return refused !== null;
      },
      undoAttempts: async ({ undo }: { undo: readonly { id: string }[] }) => {
        if (refusal && (refused === null || undo.some(({ id }) => id === refused))) throw refusal;
        undone.push(undo.map(({ id }) => id));
      },
    };
    stats = new RelayStats();
    const context = {
      ...{ table, log: pino({ level: "silent" }), stats, published: () => undefined },
      settings: { onFailure: "block" },
    } as unknown as PipelineContext;
    const watermark = new Watermark(compareOrder);
    const withheld = new Withheld(compareOrder, () => watermark.readFrom);
    const state = {
      ...{ lanes, watermark, withheld, retries: new Retries() },
      release: new Release({ watermark, withheld }, compareOrder, false),
      ...{ pauses: new Pauses(), wentBack: new WentBack(compareOrder) },
    };
    const outcomes = { isUndecided: () => false } as unknown as OutcomeHandler;
    effects = new SettleEffects(context, state, outcomes, () => undefined);
  });

  test("a row that was changed while it was sent is not counted as published by another program", () => {
    const outcome = { kind: "published", startedAt: new Date(0), durationMs: 1 } as unknown as MessageOutcome;
    const [changed, taken] = [lanes.add(makeMessage(1), "t1", false), lanes.add(makeMessage(2), "t2", false)];
    const none = { published: [], latenciesMs: [], fenced: [] };
    const { id, aggregateKey, order } = changed!.message;
    const replaced = [{ id, aggregateKey, order }];
    effects.settled([{ claimed: changed!, outcome }], { ...none, foreign: [id], replaced });
    expect([stats.foreign, stats.foreignLast, stats.lastError]).toEqual([
      0,
      null,
      expect.stringMatching(/^Another program changed or replaced the rows of 1 message while/),
    ]);
    effects.settled([{ claimed: taken!, outcome }], { ...none, foreign: [taken!.message.id], replaced: [] });
    expect([stats.foreign, stats.lastError]).toEqual([1, "Another program published or removed 1 claimed message."]);
  });

  test("attempts are given back once their failures are written, however long that takes, and those of others meanwhile", async () => {
    const [slow, quick] = [lanes.add(makeMessage(1), "t1", false), lanes.add(makeMessage(2), "t2", false)];
    refund(slow, quick);
    await effects.undone();
    expect(undone).toEqual([]);
    settle(quick);
    await waitFor(() => undone.length > 0, { message: "the quick one is given back" });
    await effects.undone();
    expect(undone).toEqual([[quick.message.id]]);
    settle(slow);
    await waitFor(() => undone.length > 1, { message: "the slow one is given back" });
    expect(undone).toEqual([[quick.message.id], [slow.message.id]]);
  });

  test("attempts are given back at once where their failures are written already", async () => {
    const claimed = lanes.add(makeMessage(1), "t1", false);
    settle(claimed);
    refund(claimed);
    await effects.undone();
    expect(undone).toEqual([[claimed.message.id]]);
  });

  test("attempts are given back later where the store did not answer, but not again where it may have been written", async () => {
    const claimed = lanes.add(makeMessage(1), "t1", false);
    settle(claimed);
    refusal = new StoreError("unreachable", "unavailable", "The connection was lost.", {});
    refund(claimed);
    await effects.undone();
    refusal = null;
    await effects.refreshRetries();
    await effects.undone();
    expect(undone).toEqual([[claimed.message.id]]);
    refusal = new StoreError("commit_in_doubt", "unavailable", "The connection was lost.", {});
    refund(claimed);
    await effects.undone();
    refusal = null;
    await effects.refreshRetries();
    await effects.undone();
    expect(undone).toHaveLength(1);
  });

  test("attempts that the store refuses to give back, such as a deadlock's victim, are given back later, and not tried for ever", async () => {
    const claimed = lanes.add(makeMessage(1), "t1", false);
    settle(claimed);
    refusal = Object.assign(new Error("deadlock detected"), { code: "40P01" });
    refund(claimed);
    await effects.undone();
    refusal = null;
    await effects.refreshRetries();
    await effects.undone();
    expect(undone).toEqual([[claimed.message.id]]);
    refusal = new Error("refused");
    refund(claimed);
    for (let turn = 0; turn < 10; turn += 1) {
      await effects.undone();
      await effects.refreshRetries();
    }
    refusal = null;
    await effects.refreshRetries();
    await effects.undone();
    expect(undone).toHaveLength(1);
  });

  test("where the store gives back one at a time, only those are given back again that were not", async () => {
    const [first, second, third] = [1, 2, 3].map((n) => lanes.add(makeMessage(n), "t1", false)) as [
      ClaimedMessage,
      ClaimedMessage,
      ClaimedMessage,
    ];
    settle(first, second, third);
    refusal = new StoreError("unreachable", "unavailable", "The connection was lost.", {});
    refused = second.message.id;
    refund(first, second, third);
    await effects.undone();
    refusal = null;
    await effects.refreshRetries();
    await effects.undone();
    expect(undone).toEqual([[first.message.id], [third.message.id], [second.message.id]]);
  });
});

describe("a failed message whose attempts are given back", () => {
  test("is read again before later ones of its aggregate, also behind an earlier one that an operator has retried", async () => {
    const lanes = new Lanes(compareOrder);
    const entry = (id: number, attempts: number) => ({
      ...{ id: String(id), aggregateKey: "order/a", eventType: null, order: at(id), attempts, dueInMs: 0 },
    });
    let waiting = [entry(1, 0)];
    const table = { compareOrder, listRetries: async () => waiting };
    const context = { table, settings: { onFailure: "block" } } as unknown as PipelineContext;
    const watermark = new Watermark(compareOrder);
    const withheld = new Withheld(compareOrder, () => at(8));
    const state = {
      ...{ lanes, watermark, withheld, retries: new Retries() },
      release: new Release({ watermark, withheld }, compareOrder, false),
      ...{ pauses: new Pauses(), wentBack: new WentBack(compareOrder) },
    };
    const effects = new SettleEffects(
      context,
      state,
      { isUndecided: () => false } as unknown as OutcomeHandler,
      () => undefined,
    );
    await effects.refreshRetries();
    waiting = [entry(1, 0), entry(5, 1)];
    await effects.refreshRetries();
    waiting = [entry(1, 0)];
    await effects.refreshRetries();
    expect(withheld.leftFrom("order/a")).toEqual(at(5));
  });
});
