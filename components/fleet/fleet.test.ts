import { describe, expect, test } from "vitest";
import type { Figure } from "#contracts/common.ts";
import type { OutboxList, OutboxSummary } from "#contracts/outbox/outboxes.ts";
import { causeOf } from "./cause-of.ts";
import { fillFigures } from "./fill-figures.ts";
import { fleetFigures } from "./fleet-figures.ts";
import { splitFleet } from "./split-fleet.ts";

const exact = (value: number): Figure => ({ value, precision: "exact" });

type Figures = NonNullable<OutboxSummary["figures"]>;
const FIGURES: Figures = {
  asOf: "2026-11-21T03:05:14Z",
  pending: exact(2),
  failed: exact(0),
  inFlight: exact(0),
  dead: exact(0),
  oldestPendingSeconds: 0.4,
  inPerSecond: 5,
  outPerSecond: 5,
  relays: { alive: 1, known: 1 },
  judged: { oldestPending: "pass", dead: "pass", failed: "pass" },
};

function outbox(name: string, figures: Partial<Figures> | null = {}, verdict: Partial<OutboxSummary["verdict"]> = {}) {
  const summary: OutboxSummary = {
    name,
    absent: null,
    store: "shop",
    table: `public.${name}`,
    shape: "configured",
    mode: "relay",
    connector: null,
    problem: null,
    figures: figures && { ...FIGURES, ...figures },
    verdict: {
      word: "delivering",
      status: "pass",
      title: "Delivering",
      cause: null,
      since: null,
      evidence: "",
      more: null,
      next: null,
      causes: [],
      ...verdict,
    },
  };
  return summary;
}

function listOf(outboxes: OutboxSummary[], stores: Partial<OutboxList["stores"][number]>[] = [{}]): OutboxList {
  const store = {
    name: "shop",
    kind: "postgres",
    address: "db",
    outboxes: 1,
    notDelivering: 0,
    answers: true,
    answersMs: 1.2,
    clockOffsetMs: 0,
    readUnits: null,
    note: null,
  };
  return {
    environment: null,
    version: "0.1.0",
    asOf: FIGURES.asOf,
    outboxes,
    fleet: {
      word: "delivering",
      status: "pass",
      title: "",
      cause: null,
      since: null,
      evidence: "",
      next: null,
      counts: {},
      outbox: null,
    },
    stores: stores.map((fields) => ({ ...store, ...fields })),
    looked: [],
    candidates: [],
    inboxes: [],
    problems: [],
  };
}

const tile = (list: OutboxList, label: string) => fleetFigures(list).find((figure) => figure.label === label);

test("what is in flight waits as well, as the banner counts it", () => {
  const figures = fleetFigures(listOf([outbox("orders", { failed: exact(3), inFlight: exact(4) })]));
  expect(figures.find(({ label }) => label === "Waiting")).toMatchObject({ value: "9", note: "9 in orders" });
});

describe("the figures of the fleet", () => {
  test("are sums, and the oldest is the oldest of all, each a link to the outbox that made it", () => {
    const list = listOf([
      outbox("orders", {
        pending: exact(4_809),
        failed: exact(3),
        oldestPendingSeconds: 848,
        dead: exact(17),
        judged: { oldestPending: "fail", dead: "pass", failed: "pass" },
      }),
      outbox("billing", { dead: exact(2) }),
    ]);
    expect(tile(list, "Oldest")).toMatchObject({ value: "14 m 08 s", note: "orders", tone: "bad" });
    expect(tile(list, "Oldest")?.path).toBe("/messages?state=unsent&outbox=orders");
    expect(tile(list, "Waiting")).toMatchObject({ value: "4,814", note: "4,812 in orders" });
    expect(tile(list, "Dead")).toMatchObject({ value: "19", note: "17 in orders", tone: "dead" });
    expect(tile(list, "In and out")).toMatchObject({ value: "10", unit: "/ 10 per second" });
    expect(tile(list, "Relays")).toMatchObject({ value: "2 of 2", tone: "normal" });
  });

  test("say what they leave out: an outbox that cannot be read, a rate that is not known, a relay that is gone", () => {
    const list = listOf(
      [
        outbox("orders", { relays: { alive: 0, known: 2 }, inPerSecond: null, outPerSecond: null }),
        outbox("billing", null),
      ],
      [{}, { name: "loyalty", answers: false, answersMs: null }],
    );
    expect(tile(list, "Waiting")?.note).toBe("without 1 outbox");
    expect(tile(list, "In and out")).toMatchObject({ value: "–", tone: "rest" });
    expect(tile(list, "Relays")).toMatchObject({ value: "0 of 2", note: "orders has none", tone: "bad" });
    expect(tile(list, "Stores")).toMatchObject({ value: "1 of 2", note: "loyalty does not answer", tone: "bad" });
  });

  test("call a store silent only if it does not answer, and give long durations in seconds", () => {
    const stores = (...more: Parameters<typeof listOf>[1] & object) => tile(listOf([outbox("orders")], more), "Stores");
    expect(stores({ answersMs: 1400 })).toMatchObject({ value: "1 of 1", note: "slowest answers in 1.4 s" });
    expect(stores({}, { name: "slow", answersMs: null })).toMatchObject({
      value: "2 of 2",
      note: "no figures from slow",
    });
    const ofInboxes = { name: "inboxes", outboxes: 0, answersMs: null };
    expect(stores({}, ofInboxes)).toMatchObject({ value: "2 of 2", note: "slowest answers in 1.2 ms", tone: "normal" });
  });
});

test("figures claim nothing of outboxes that cannot be read", () => {
  const list = listOf([outbox("orders", null), outbox("billing", null)], [{ name: "loyalty", answersMs: null }]);
  for (const label of ["Oldest", "Waiting", "In and out", "Dead", "Relays"])
    expect(tile(list, label), label).toMatchObject({ value: "–", note: "without 2 outboxes", tone: "rest" });
});

test("only outboxes that deliver without a warning are folded", () => {
  const list = [
    outbox("orders", {}, { word: "not_delivering", status: "fail" }),
    outbox("warned", {}, { status: "warn" }),
    outbox("unread", null, { word: "unknown", status: "fail" }),
    outbox("fine"),
  ];
  const { troubled, healthy } = splitFleet(list);
  expect(troubled.map(({ name }) => name)).toEqual(["orders", "warned", "unread"]);
  expect(healthy.map(({ name }) => name)).toEqual(["fine"]);
});

test("a row prints the first cause word for word, and counts the others", () => {
  const cause = {
    id: "1",
    rule: "dead_letters" as const,
    word: "at_risk" as const,
    severity: "warn" as const,
    sentence: "2 messages are dead",
    since: null,
    messages: 2,
    messagesCapped: false,
    messagesEstimated: false,
  };
  const row = outbox("orders", {}, { cause: "kafka-1 refuses connections", causes: [cause, cause] });
  expect(causeOf(row)).toBe("kafka-1 refuses connections · 1 more cause");
  expect(causeOf(outbox("fine"))).toBe("–");
  expect(causeOf({ ...outbox("gone", null), problem: "store shop does not answer" })).toBe(
    "store shop does not answer",
  );
});

test("an outbox that cannot be read keeps its last figures, and is named", () => {
  const before = new Map([["orders", FIGURES]]);
  const { list, old } = fillFigures(listOf([outbox("orders", null), outbox("never", null)]), before);
  expect(list.outboxes.map(({ figures }) => figures)).toEqual([FIGURES, null]);
  expect([...old]).toEqual(["orders"]);
});
