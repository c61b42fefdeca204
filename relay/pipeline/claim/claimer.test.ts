import { pino } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import type { OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { horizonOf } from "#relay/testing/horizon.fixture.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { waitFor } from "#tests/wait-for.ts";
import { Breaker } from "../state/breaker.ts";
import { Lanes } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { RelayMemory } from "../state/relay-memory.ts";
import { Release } from "../state/release.ts";
import { Retries } from "../state/retries.ts";
import { Watermark } from "../state/watermark.ts";
import { WentBack } from "../state/went-back.ts";
import { Withheld } from "../state/withheld.ts";
import type { ClaimCapacity } from "./claim-capacity.ts";
import { Claimer } from "./claimer.ts";
import type { ClaimerState } from "./claimer-state.ts";

const none = () => undefined;
const NOW = new Date().toISOString();

/**
 * A claimer whose reads return these messages, one list each, and nothing after the last. `onSearch` is called by the
 * search before scheduled messages. `isPartial`: of the read that begins with these messages.
 */
function openClaimer(
  reads: OutgoingMessage[][],
  onSearch: () => void,
  {
    onRead,
    onStep,
    hasNew = () => false,
    isPartial = () => false,
  }: {
    onRead?: () => void;
    onStep?: () => void;
    hasNew?: () => boolean;
    isPartial?: (first: OutgoingMessage | undefined) => boolean;
  } = {},
) {
  const begins: (string | null)[] = [];
  const watermark = new Watermark(compareOrder);
  const withheld = new Withheld(compareOrder, () => watermark.readFrom);
  const memory = new RelayMemory(compareOrder);
  const state = {
    ...{ watermark, withheld, routes: memory.routes, breaker: new Breaker(), retries: new Retries() },
    ...{ lanes: new Lanes(compareOrder), wentBack: new WentBack(compareOrder) },
    release: new Release({ watermark, withheld }, compareOrder, false),
  } satisfies ClaimerState;
  const table = {
    compareOrder,
    ordering: { kind: "aggregate", reason: null },
    findUnread: async () => ({ found: null, next: null }),
    findBefore: async () => {
      onSearch();
      return null;
    },
    hasNew: async () => hasNew(),
    skipDeadRows: async () => null,
    claimNew: async ({ after }: { after: OrderKey | null }) => {
      begins.push(after?.[0] ?? null);
      onRead?.();
      const messages = reads.shift() ?? [];
      const claim = messages.length > 0 ? { token: "claim", messages } : null;
      const partial = isPartial(messages[0]);
      const more = partial;
      return { claim, more, partial, horizon: horizonOf(1, 1), last: null, databaseTimeMs: Date.now() };
    },
  };
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const context = { table, memory, log, lease: {}, settings: { batchSize: 10 } } as unknown as PipelineContext;
  const capacity = { limit: 10, limitOf: () => 10, isLeft: true, uncrowd: none, crowd: none, noteRoom: none };
  const accepted: string[] = [];
  const claimer = new Claimer(context, state, capacity as unknown as ClaimCapacity, {
    accept: ({ messages }) => void accepted.push(...messages.map(({ order }) => order[0])),
    ...{ mayClaim: () => true, settleFails: () => false, skipsRetry: () => false, onError: none },
    probeRoutes: async () => {
      onStep?.();
      return Number.POSITIVE_INFINITY;
    },
    types: { waits: () => false, meet: none },
    outcomes: { nothingElse: none, wantsEvidence: false, beginEvidence: none, foundEvidence: none },
  });
  return { claimer, watermark, accepted, begins, logged: () => lines };
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("the time of a search for earlier scheduled messages is not that of the read before it", async () => {
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const fresh = (n: number, scheduled = false) => makeMessage(n, { createdAt: NOW, scheduled });
  // The old one gives a watermark. A transaction may still commit a row before the second one.
  const reads = [[makeMessage(1)], [fresh(2)], [fresh(3, true)]];
  const { claimer, watermark, accepted } = openClaimer(reads, () => {
    nowMs += 3000;
    claimer.stop();
  });
  await claimer.run();
  expect(accepted).toEqual(["1", "2", "3"]);
  expect(watermark.position?.[0]).toBe("1");
});

test("the log says that the outbox is read again after a read, not while slow reads rest", async () => {
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  let steps = 0;
  let reads = 0;
  const { claimer, logged } = openClaimer([], none, {
    onRead: () => {
      reads += 1;
      nowMs += 400;
    },
    // The third step fails before its read; reads rest then.
    onStep: () => {
      steps += 1;
      if (steps === 3) throw new Error("retries cannot be claimed");
    },
  });
  const running = claimer.run();
  await waitFor(() => steps >= 5, { message: "steps go on" });
  expect([reads, logged()]).toEqual([2, []]);
  nowMs += 10_000;
  await waitFor(() => reads === 3, { message: "the outbox is read" });
  claimer.stop();
  await running;
  expect(logged()).toEqual(["the outbox is read again"]);
});

test("a peek that finds messages is no read while their claims fail", { timeout: 30_000 }, async () => {
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  let peeks = 0;
  const { claimer, logged } = openClaimer([], none, {
    onStep: () => {
      nowMs += 3000;
    },
    onRead: () => {
      if (peeks > 0 && peeks < 4) throw new Error("nothing can be claimed");
    },
    hasNew: () => {
      peeks += 1;
      return true;
    },
  });
  const running = claimer.run();
  await waitFor(() => peeks >= 3, { message: "messages are seen again and again" });
  expect(logged()).toEqual([]);
  await waitFor(() => peeks >= 5, { message: "a claim gets through" });
  claimer.stop();
  await running;
  expect(logged()).toEqual(["the outbox is read again"]);
});

test("a read of a part of the table ends no watermark: the next ones begin at the start", async () => {
  let reads = 0;
  const { claimer, watermark, begins, logged } = openClaimer(
    [[makeMessage(1)], [makeMessage(2)], [makeMessage(9)], [makeMessage(4)]],
    none,
    {
      isPartial: (first) => first === undefined || Number(first.order[0]) > 3,
      onRead: () => {
        reads += 1;
        if (reads === 6) claimer.stop();
      },
    },
  );
  await claimer.run();
  expect(begins).toEqual([null, null, "1", null, null, null]);
  expect(watermark.position).toBeNull();
  expect(logged().filter((line) => line.includes("read in parts"))).toHaveLength(1);
});
