import { expect, test, vi } from "vitest";
import { ApiError } from "#components/api/api-error.ts";
import { computeLiveState } from "./live-state.ts";
import { LiveStore } from "./live-store.ts";

const AT = Date.parse("2026-11-21T03:05:14Z");
const iso = (ms: number) => new Date(ms).toISOString();

test("the newest instant wins, in any order of answers", () => {
  const store = new LiveStore();
  store.noteSuccess("a", iso(AT), AT);
  store.noteSuccess("b", iso(AT - 5_000), AT + 10);
  expect(store.read().asOf).toBe(iso(AT));
});

test("server time comes from the freshest answer, not from a cached one", () => {
  const store = new LiveStore();
  store.noteSuccess("a", iso(AT + 60_000), AT);
  store.noteSuccess("a", iso(AT + 58_500), AT + 100);
  expect(store.serverTime(AT + 1_000)).toBe(AT + 61_000);
});

test("a browser's clock that is corrected does not make ages wrong", () => {
  vi.useFakeTimers({ now: AT + 3_600_000 });
  const store = new LiveStore();
  store.noteSuccess("a", iso(AT), Date.now());
  expect(store.serverTime(Date.now())).toBe(AT);
  for (const correctionMs of [-3_600_000, 7_200_000]) {
    vi.setSystemTime(Date.now() + correctionMs);
    store.noteSuccess("a", iso(AT + 10), Date.now());
    expect(store.serverTime(Date.now())).toBe(AT + 10);
  }
  vi.useRealTimers();
});

test("an answer to one request does not hide another's silence", () => {
  const store = new LiveStore();
  store.noteFailure("snapshot", new Error("The database does not answer."), true);
  store.noteSuccess("series", iso(AT), AT);
  expect(store.read().failure).toBe("The database does not answer.");
  expect(store.noteSuccess("snapshot", iso(AT), AT)).toBe(true);
  expect(store.noteSuccess("snapshot", iso(AT), AT)).toBe(false);
  expect(store.read().failure).toBeUndefined();
});

test.each([
  ["takes too long", { status: 503, code: "query_timeout", message: "It takes more than 3 s." }],
  ["the console fails at", { status: 500, code: "internal", message: "Internal error." }],
])("a request that %s is a failure, and no silence of the database", (_, error) => {
  const store = new LiveStore();
  store.noteFailure("messages", new ApiError(error), true);
  expect(store.read()).toMatchObject({ failure: error.message, silent: false });
  store.noteFailure("snapshot", new ApiError({ status: 503, code: "unavailable", message: "No answer." }), true);
  expect(store.read().silent).toBe(true);
  store.forget("snapshot");
  expect(store.read().silent).toBe(false);
});

test("an abandoned request is not a failure", () => {
  const store = new LiveStore();
  store.noteFailure("snapshot", new Error("down"), true);
  store.forget("snapshot");
  expect(store.read().failure).toBeUndefined();
});

test("a refusal concerns only its own request, and the page stays live", () => {
  const store = new LiveStore();
  const refusal = new Error("No index serves this filter.");
  store.noteFailure("messages", refusal, false);
  expect(store.read().failure).toBeUndefined();
  expect(store.failureOf("messages")).toBe(refusal);
  store.noteSuccess("messages", iso(AT), AT);
  expect(store.failureOf("messages")).toBeUndefined();
});

test("one silent database among several leaves the page live in part; the server's own silence does not", () => {
  const silent = new ApiError({ status: 503, code: "unavailable", message: "The database bills does not answer." });
  const store = new LiveStore();
  store.noteFailure("findings", silent, true);
  expect(store.read()).toMatchObject({ failure: silent.message, inPart: false });
  store.noteReadInPart(true);
  expect(store.read().inPart).toBe(true);
  store.noteFailure("snapshot", new TypeError("Failed to fetch"), true);
  expect(store.read().inPart).toBe(false);
  store.forget("snapshot");
  expect(store.read().inPart).toBe(true);
  store.noteSuccess("findings", iso(AT), AT);
  expect(store.read()).toMatchObject({ failure: undefined, inPart: false });
});

const facts = { asOf: undefined, lastSuccessMs: AT, failure: undefined, inPart: false, silent: false };

test.each([
  ["live", { facts, paused: false, nowMs: AT + 3_000 }],
  ["stale", { facts, paused: false, nowMs: AT + 6_001 }],
  ["paused", { facts, paused: true, nowMs: AT + 600_000 }],
  ["connecting", { facts: { ...facts, lastSuccessMs: undefined }, paused: false, nowMs: AT }],
  ["in_part", { facts: { ...facts, failure: "down", inPart: true }, paused: false, nowMs: AT }],
  ["disconnected", { facts: { ...facts, failure: "down" }, paused: false, nowMs: AT }],
  ["disconnected", { facts: { ...facts, failure: "down" }, paused: true, nowMs: AT }],
] as const)("says %s", (state, input) => {
  expect(computeLiveState({ intervalMs: 2_000, ...input })).toBe(state);
});
