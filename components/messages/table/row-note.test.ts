import { describe, expect, it } from "vitest";
import { describeAttempts, describeRow } from "./row-note.ts";
import { sampleMessage } from "./sample-message.fixture.ts";

const nowMs = Date.parse("2026-11-21T03:00:00.000Z");
const noteOf = (fields: Parameters<typeof sampleMessage>[0]) => describeRow(sampleMessage(fields), nowMs);

describe("the note of a row", () => {
  it("is the first line of the last error with its code", () => {
    expect(noteOf({ lastError: "no FX rate\n  at x", lastErrorCode: "server_error" })).toBe("server_error: no FX rate");
    expect(noteOf({ lastError: "connect ECONNREFUSED", lastErrorCode: "ECONNREFUSED" })).toBe("connect ECONNREFUSED");
  });

  it("otherwise says what the message waits for", () => {
    expect(noteOf({ blockedBy: "m-0" })).toBe("waits behind an earlier message of its aggregate");
    expect(noteOf({ availableAt: "2026-11-21T03:10:00Z" })).toBe("scheduled, due in 10 m 00 s");
    expect(noteOf({ state: "unknown", rawStatus: "WAT" })).toBe("status WAT is not in the mapping");
    expect(noteOf({})).toBe("");
  });

  it("shows attempts only if they are known", () => {
    expect(describeAttempts({ attempts: 4, maxAttempts: 10 })).toBe("4/10");
    expect(describeAttempts({ attempts: 4, maxAttempts: null })).toBe("4");
    expect(describeAttempts({ attempts: null, maxAttempts: 10 })).toBe("–");
  });
});
