import { describe, expect, it } from "vitest";
import type { OperationPreview } from "#contracts/message/operations.ts";
import { isTyped, previewNotes, previewTitle, startCount, startLabel, wordToType } from "./preview-words.ts";

const preview = (changes: Partial<OperationPreview> = {}): OperationPreview => ({
  action: "retry",
  matching: { value: 3049, precision: "exact" },
  read: 3049,
  confirm: 3045,
  types: [],
  aggregates: 2871,
  topAggregates: [],
  relays: null,
  payloadBytes: 6_100_000,
  scheduled: 0,
  refused: [{ reason: "It is held by an operation that is paused.", messages: 4 }],
  laterPublished: { messages: 211, checked: 3049 },
  processedBy: [
    { inbox: "loyalty", messages: 12, checked: 3049 },
    { inbox: "analytics", messages: 0, checked: 3049 },
  ],
  sinks: [],
  does: null,
  blocked: null,
  asOf: "2026-11-21T03:05:14Z",
  ...changes,
});
const CAPPED = { matching: { value: 10_000, precision: "capped" as const }, read: 10_000 };

describe("title and button", () => {
  it("name what was selected, and what will be started", () => {
    expect(previewTitle("retry", preview())).toBe("Retry 3,049 messages");
    expect(startLabel("retry", preview())).toBe("Retry 3,045");
    expect(previewTitle("archive", preview({ matching: { value: 1, precision: "exact" } }))).toBe("Archive 1 message");
  });

  it("never claim an exact number above what was counted", () => {
    expect(previewTitle("retry", preview(CAPPED))).toBe("Retry 10,000+ messages");
    expect(startLabel("retry", preview(CAPPED))).toBe("Retry 10,000+");
    expect(startCount(preview({ read: 1000 }))).toEqual({ value: 3049, precision: "exact" });
  });

  it("work without a count", () => {
    const uncounted = preview({ matching: { value: 0, precision: "unknown" } });
    expect(previewTitle("retry", uncounted)).toBe("Retry messages");
    expect(startLabel("retry", uncounted)).toBe("Retry all that match");
    expect(startLabel("retry", undefined)).toBe("Retry");
  });
});

describe("the number to type", () => {
  it("is the one that the server asks for, with or without its comma", () => {
    expect(wordToType(preview())).toBe("3,045");
    expect(isTyped("3,045", "3045")).toBe(true);
    expect(isTyped("3,045", " 3,045 ")).toBe(true);
    expect(isTyped("3,045", "3044")).toBe(false);
    expect(isTyped("3,045", "")).toBe(false);
    expect(wordToType(preview({ confirm: null }))).toBeNull();
  });

  it("is a word where nothing could be counted", () => {
    expect(wordToType(preview({ confirm: 0, matching: { value: 0, precision: "unknown" } }))).toBe("all");
    expect(isTyped("all", "All")).toBe(true);
    expect(isTyped("all", "0")).toBe(false);
  });
});

describe("what to know before the start", () => {
  const texts = (changes?: Partial<OperationPreview>) => previewNotes(preview(changes)).map((note) => note.text);

  it("is order first, then consumers, then what is refused", () => {
    expect(texts()).toEqual([
      "211 messages have later messages of the aggregate out already",
      "Already processed by loyalty: 12, by analytics: none",
      "4 will be refused, the other 3,045 are started",
    ]);
  });

  it("says how many were looked at", () => {
    const changes = {
      ...CAPPED,
      laterPublished: { messages: 1, checked: 24 },
      processedBy: [{ inbox: "loyalty", messages: 2, checked: 24 }],
    };
    expect(texts(changes)[0]).toBe("1 of 24 looked at has later messages of the aggregate out already");
    expect(texts(changes)[1]).toBe("Already processed by loyalty: 2, of 24 looked at");
    expect(texts(changes)[2]).toBe("4 of the first 10,000 will be refused");
  });

  it("says that the order is not known, and is silent about it where nothing is sent again", () => {
    expect(texts({ laterPublished: null })[0]).toMatch(/not known here/);
    expect(texts({ action: "archive", laterPublished: null, processedBy: [] })).toEqual([
      "4 will be refused, the other 3,045 are started",
    ]);
  });

  it("says so when nothing stands against it", () => {
    const fine = { action: "archive" as const, refused: [], processedBy: [] };
    expect(texts(fine)).toEqual(["None will be refused."]);
    expect(texts({ ...fine, read: 2000 })).toEqual(["None of the first 2,000 will be refused."]);
  });

  it("warns that a schedule does not come back with a retry", () => {
    const scheduled = { scheduled: 12, refused: [], processedBy: [] };
    expect(texts({ action: "dead-letter", ...scheduled })).toEqual(["12 messages are scheduled for later"]);
    expect(texts({ action: "archive", ...scheduled })).toEqual(["None will be refused."]);
  });
});

describe("a re-publish", () => {
  const republish = preview({ action: "republish", laterPublished: null, refused: [] });

  it("says first who has processed the messages", () => {
    const [first, second] = previewNotes(republish);
    expect(first?.text).toBe("Already processed by loyalty: 12, by analytics: none");
    expect(second?.text).toBe("Their order relative to new messages is not kept");
  });

  it("warns where no inbox says it", () => {
    const [first] = previewNotes({ ...republish, processedBy: [] });
    expect(first).toMatchObject({ kind: "warn", text: "No inbox says which of them consumers have processed" });
  });
});
