import { describe, expect, test } from "vitest";
import type { Receipt } from "../world/recorders/recorder.ts";
import type { Evidence } from "./evidence.ts";
import { judge } from "./judge.ts";

const at = (id: string, n: number, atMs: number, unconfirmed = false): Receipt => ({
  id,
  aggregate: "a",
  n,
  atMs,
  slot: 0,
  unconfirmed,
});

/** Three messages of one aggregate, published in order without any trouble. */
function evidence(change: Partial<Evidence> = {}): Evidence {
  const ids = ["m1", "m2", "m3"];
  return {
    acknowledged: 3,
    ledger: ids.map((id, index) => ({ id, seq: index + 1, aggregate: "a", n: index + 1, scheduled: false })),
    receipts: [at("m1", 1, 1000), at("m2", 2, 2000), at("m3", 3, 3000)],
    rows: new Map(ids.map((id) => [id, { published: true }])),
    dead: [],
    archived: new Map(),
    deliveries: [],
    claims: [],
    instances: [{ id: "r", state: "stopped", published: 3, lateCommits: 0, streams: false }],
    faults: [],
    source: "polling",
    touched: new Set(),
    rejected: new Set(),
    ...change,
  };
}

const broken = (change: Partial<Evidence>) => judge(evidence(change)).violations.map(({ rule }) => rule);

/** A run without findings means something only if planted faults are found. */
describe("the judge of a chaos run", () => {
  test("finds nothing in a run without faults", () => {
    expect(broken({})).toEqual([]);
  });

  test("finds lost messages and messages that were never committed", () => {
    expect(broken({ receipts: [at("m1", 1, 1000), at("m3", 3, 3000)] })).toEqual([
      "committed, and never received",
      "called published, though never received",
    ]);
    expect(broken({ receipts: [...evidence().receipts, at("m4", 4, 4000)] })).toEqual([
      "received, though never committed",
    ]);
    expect(broken({ acknowledged: 4 })).toEqual(["acknowledged commits that the store has lost"]);
  });

  test("finds a message with another's content", () => {
    expect(broken({ receipts: [at("m1", 1, 1000), at("m2", 3, 2000), at("m3", 3, 3000)] })).toContain(
      "received with another's content",
    );
  });

  test("finds first deliveries out of order, unless an operator touched them", () => {
    const receipts = [at("m1", 1, 1000), at("m3", 3, 2000), at("m2", 2, 3000)];
    expect(broken({ receipts })).toEqual(["first received after a later message of its aggregate"]);
    expect(broken({ receipts, touched: new Set(["m2"]) })).toEqual([]);
    expect(judge(evidence({ receipts, touched: new Set(["m2"]) })).seen["late, as allowed"]).toBe(1);
  });

  test("does not count a repeated delivery as an inversion", () => {
    const receipts = [...evidence().receipts, at("m1", 1, 3100)];
    const kill = { kind: "relay-kill", slot: 0, fromMs: 1500, toMs: 1501 };
    expect(broken({ receipts, faults: [kill] })).toEqual([]);
  });

  test("finds unexplained duplicates", () => {
    const receipts = [...evidence().receipts, at("m1", 1, 9000)];
    const rule = "received twice without a cause";
    const fault = (kind: string, fromMs: number, toMs: number) => [{ kind, slot: 0, fromMs, toMs }];
    expect(broken({ receipts })).toEqual([rule]);
    expect(broken({ receipts, faults: fault("relay-kill", 6000, 6001) })).toEqual([rule]);
    expect(broken({ receipts, faults: fault("relay-stop", 1100, 1300) })).toEqual([rule]);
    expect(broken({ receipts, faults: fault("db-line-cut", 1100, 1101) })).toEqual([]);
    const other = fault("db-line-cut", 1100, 1101).map((one) => ({ ...one, slot: 1 }));
    expect(broken({ receipts, faults: other })).toEqual([rule]);
    expect(broken({ receipts: [at("m1", 1, 900, true), ...evidence().receipts] })).toEqual([]);
  });

  test("lets a later fault explain a duplicate while outcomes cannot be written", () => {
    const receipts = [...evidence().receipts, at("m1", 1, 20_000)];
    const locks = { kind: "foreign-locks", slot: null, fromMs: 900, toMs: 8000 };
    const kill = { kind: "relay-kill", slot: 0, fromMs: 7000, toMs: 7001 };
    expect(broken({ receipts, faults: [locks] })).toEqual(["received twice without a cause"]);
    expect(broken({ receipts, faults: [locks, kill] })).toEqual([]);
  });

  test("finds dead messages that nobody rejected", () => {
    const dead = [{ id: "m2", by: "relay", code: "rejected", stayed: false }];
    const rows = new Map([
      ["m1", { published: true }],
      ["m3", { published: true }],
    ]);
    const receipts = [at("m1", 1, 1000), at("m3", 3, 3000)];
    const instances = [{ id: "r", state: "stopped", published: 2, lateCommits: 0, streams: false }];
    expect(broken({ dead, rows, receipts, instances })).toEqual(["dead, though nobody refused it"]);
    expect(broken({ dead, rows, receipts, instances, rejected: new Set(["m2"]) })).toEqual([]);
  });

  test("finds rows that contradict what happened", () => {
    const rows = (published: boolean) => new Map(["m1", "m2", "m3"].map((id) => [id, { published }]));
    expect(broken({ rows: rows(false), instances: [] })).toEqual(["still waits, though all is well"]);
    expect(broken({ rows: new Map([...rows(true)].slice(1)), instances: [] })).toEqual([
      "committed, and in no table any more",
    ]);
    expect(broken({ archived: new Map([["m1", { published: true }]]) })).toEqual(["in two places at once"]);
    expect(broken({ deliveries: ["m1"] })).toEqual(["published, with a trace of failure left"]);
    expect(broken({ claims: [{ token: "t", owner: "r", ids: ["m1"] }] })).toEqual(["in a claim, though all is well"]);
    const counted = [{ id: "r", state: "stopped", published: 4, lateCommits: 1, streams: false }];
    expect(broken({ instances: counted })).toEqual([
      "counted more often than published",
      "late commits, though writers are serialised",
    ]);
    expect(broken({ source: "cdc" })).toEqual(["never read from the log"]);
  });
});
