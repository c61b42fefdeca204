import { describe, expect, it } from "vitest";
import { sampleMessage } from "#components/messages/table/sample-message.fixture.ts";
import { describeConsequences } from "./describe-consequences.ts";

const processed = { inbox: "loyalty_inbox", consumer: "loyalty", state: "processed" as const, at: null };
const message = sampleMessage({ state: "dead" });

describe("consequences", () => {
  it("say that a retry comes after later messages and which consumers need no repeat", () => {
    expect(describeConsequences("retry", [{ message, laterPublished: 2, sightings: [processed] }])).toEqual([
      "2 later messages of the same aggregate are already published, so consumers will receive messages out of order.",
      "loyalty has processed it already, so a repeat has no effect there.",
    ]);
  });

  it("count the later messages of an aggregate once", () => {
    const of = (aggregateId: string, laterPublished: number) => ({
      message: sampleMessage({ state: "dead", aggregateId }),
      laterPublished,
      sightings: [],
    });
    expect(describeConsequences("retry", [of("order-1", 5), of("order-1", 4), of("order-1", 5)])).toEqual([
      "5 later messages of the same aggregate are already published, so consumers will receive messages out of order.",
    ]);
    expect(describeConsequences("retry", [of("order-1", 5), of("order-2", 1), of("order-3", 0)])).toEqual([
      "6 later messages of the same aggregates are already published, so consumers will receive messages out of order.",
    ]);
  });

  it("say of which consumers it is not known", () => {
    const of = (state: "unknown" | "untracked" | "not_seen") => ({
      message,
      laterPublished: null,
      sightings: [{ ...processed, state }],
    });
    expect(describeConsequences("retry", [of("unknown")])).toEqual(["Whether loyalty has processed it is not known."]);
    expect(describeConsequences("dead-letter", [of("untracked"), of("not_seen")])).toEqual([
      "Whether loyalty has processed 1 of them is not known.",
    ]);
    expect(describeConsequences("retry", [of("not_seen")])).toEqual([]);
  });

  it("count over a selection", () => {
    const details = [
      { message, laterPublished: 1, sightings: [processed] },
      { message, laterPublished: null, sightings: [{ ...processed, consumer: null }] },
    ];
    expect(describeConsequences("retry", details)).toEqual([
      "1 later message of the same aggregate is already published, so consumers will receive messages out of order.",
      "loyalty has processed 1 of them already, so a repeat has no effect there.",
      "loyalty_inbox has processed 1 of them already, so a repeat has no effect there.",
    ]);
  });

  it("say of a dead-letter that a schedule does not come back with a retry", () => {
    const of = (changes: Parameters<typeof sampleMessage>[0]) => ({
      message: sampleMessage({ state: "pending", attempts: 0, availableAt: "2026-11-28T03:00:00Z", ...changes }),
      laterPublished: null,
      sightings: [],
    });
    const [now, later] = [Date.parse("2026-11-21T03:00:00Z"), of({})];
    const told = (...details: ReturnType<typeof of>[]) => describeConsequences("dead-letter", details, now);
    expect(told(later)).toEqual([
      "It is scheduled for later; a retry sends a dead message at once and not at its time.",
    ]);
    expect(told(later, later, of({ availableAt: null }))[0]).toMatch(/^2 of them are scheduled for later/);
    expect(told(of({ availableAt: "2026-11-20T03:00:00Z" }), of({ state: "failed", attempts: 2 }))).toEqual([]);
  });

  it("are empty where nothing is known", () => {
    expect(describeConsequences("retry", [{ message, laterPublished: null, sightings: [] }])).toEqual([]);
    expect(describeConsequences("archive", [{ message, laterPublished: 2, sightings: [processed] }])).toEqual([]);
  });
});
