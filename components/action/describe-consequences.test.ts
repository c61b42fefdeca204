import { describe, expect, it } from "vitest";
import { sampleMessage } from "#components/messages/table/sample-message.ts";
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

  it("count over a selection", () => {
    const details = [
      { message, laterPublished: 1, sightings: [processed] },
      { message, laterPublished: null, sightings: [{ ...processed, consumer: null }] },
    ];
    expect(describeConsequences("retry", details)).toEqual([
      "1 later message of the same aggregates is already published, so consumers will receive messages out of order.",
      "loyalty has processed 1 of them already, so a repeat has no effect there.",
      "loyalty_inbox has processed 1 of them already, so a repeat has no effect there.",
    ]);
  });

  it("are empty where nothing is known", () => {
    expect(describeConsequences("retry", [{ message, laterPublished: null, sightings: [] }])).toEqual([]);
    expect(describeConsequences("archive", [{ message, laterPublished: 2, sightings: [processed] }])).toEqual([]);
  });
});
