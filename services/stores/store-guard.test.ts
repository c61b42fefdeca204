import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StoreError } from "#db/stores/port/store-error.ts";
import type { AppError } from "#domain/errors.ts";
import { StoreGuard } from "./store-guard.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => undefined);
const after = <Value>(ms: number, value: Value) => new Promise<Value>((resolve) => setTimeout(resolve, ms, value));
const lineOf = (ping: () => Promise<unknown>) => new StoreGuard({ what: "store shop", ping });

/** Fake timers run in order, and the clock between them goes on by some ms. */
const about = (ms: number) => expect.closeTo(ms, -2);

/** The result and the time until it, ms. */
async function outcome(work: Promise<unknown>): Promise<{ ms: number; result: unknown }> {
  const started = Date.now();
  const told = work.then(
    (result) => ({ ms: Date.now() - started, result }),
    (result: unknown) => ({ ms: Date.now() - started, result }),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  return told;
}

test("what hangs is unavailable after 2.3 s, and after 0.2 s from then on, with since when", async () => {
  const guard = lineOf(never);
  const first = await outcome(guard.ask(never));
  expect(first).toMatchObject({ ms: about(2_300), result: { code: "unavailable" } });
  const work = vi.fn(never);
  const second = await outcome(guard.ask(work));
  expect(second).toMatchObject({ ms: about(200), result: { details: { silentSince: guard.silence?.since } } });
  expect(work).not.toHaveBeenCalled();
});

test("since when nothing answers stays the first question of the outage, however each one fails", async () => {
  const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  const fails = () =>
    Promise.reject(new StoreError("unreachable", "unavailable", "does not answer", { cause: refused }));
  const guard = lineOf(fails);
  const began = new Date().toISOString();
  const sinceOf = async (work: () => Promise<unknown>) => {
    const { result } = await outcome(guard.ask(work));
    return (result as AppError).details?.silentSince;
  };
  expect(await sinceOf(fails)).toBe(began);
  expect(await sinceOf(never)).toBe(began);
  expect(await sinceOf(fails)).toBe(began);
  expect(guard.silence?.since).toBe(began);
});

test("an outage after an answer is another one", async () => {
  let answerPing: (value: number) => void = () => undefined;
  const guard = lineOf(() => new Promise((resolve) => (answerPing = resolve)));
  const first = await outcome(guard.ask(never));
  answerPing(1);
  expect(await outcome(guard.ask(async () => "figures"))).toMatchObject({ result: "figures" });
  const second = await outcome(guard.ask(never));
  const sinceOf = (error: unknown) => Date.parse(String((error as AppError).details?.silentSince));
  expect(sinceOf(second.result) - sinceOf(first.result)).toBeGreaterThanOrEqual(60_000);
});

test("a ping that is answered ends the silence, at the very question that waits for it", async () => {
  let answerPing: (value: number) => void = () => undefined;
  const guard = lineOf(() => new Promise((resolve) => (answerPing = resolve)));
  await outcome(guard.ask(never));
  expect(guard.silence).not.toBeNull();
  setTimeout(() => answerPing(1), 100);
  expect(await outcome(guard.ask(async () => "figures"))).toEqual({ ms: about(100), result: "figures" });
  expect(guard.silence).toBeNull();
});

test("a database that answers pings is slow: its answer is waited for", async () => {
  const guard = lineOf(async () => 1);
  expect(await outcome(guard.ask(() => after(5_000, "figures")))).toEqual({ ms: about(5_000), result: "figures" });
  expect(guard.silence).toBeNull();
});

test("patience ends a slow question for who asked, and says that the database answers", async () => {
  const guard = lineOf(async () => 1);
  const told = await outcome(guard.ask(() => after(5_000, "figures"), { patienceMs: 2_500 }));
  expect(told).toMatchObject({ ms: about(2_500), result: { code: "query_timeout" } });
  expect(guard.silence).toBeNull();
});

test("a refusal is an answer: of a question, and of a ping", async () => {
  const refusal = new StoreError("refused", "unavailable", "no connection left", {});
  const guard = lineOf(() => Promise.reject(refusal));
  expect(await outcome(guard.ask(() => Promise.reject(refusal)))).toEqual({ ms: about(0), result: refusal });
  expect(await outcome(guard.ask(() => after(3_000, "figures")))).toEqual({ ms: about(3_000), result: "figures" });
});

test("many questions to a silent database share one ping", async () => {
  const ping = vi.fn(never);
  const guard = lineOf(ping);
  await outcome(Promise.allSettled(Array.from({ length: 20 }, () => guard.ask(never))));
  await outcome(Promise.allSettled(Array.from({ length: 20 }, () => guard.ask(never))));
  expect(ping).toHaveBeenCalledTimes(1);
});

test("an older question that fails late does not end the silence", async () => {
  const guard = lineOf(never);
  const cut = Object.assign(new Error("cut"), { code: "ECONNRESET" });
  const unreachable = new StoreError("unreachable", "unavailable", "cut", cut);
  const shared = after(2_500, null).then(() => Promise.reject(unreachable));
  const first = guard.ask(() => shared).catch(() => undefined);
  const second = after(2_000, null).then(() => guard.ask(() => shared));
  await outcome(Promise.allSettled([first, second]));
  expect(guard.silence).not.toBeNull();
});

test("an outage is known for what it was once the database answers again", async () => {
  const guard = lineOf(async () => undefined);
  const lost = () => Promise.reject(new StoreError("unreachable", "unavailable", "does not answer", {}));
  expect(guard.outage).toBeNull();
  await outcome(guard.ask(lost));
  await outcome(guard.ask(lost));
  const seen = await guard.ask(async () => guard.outage);
  expect(seen).toEqual({ seconds: expect.closeTo(120, 0), endedSeconds: 0 });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(guard.outage).toEqual({ seconds: expect.closeTo(120, 0), endedSeconds: expect.closeTo(4, 0) });
});

test("an outage that returns before relays can report is one with the first; a later one is another", async () => {
  const guard = lineOf(async () => undefined);
  const lost = () => Promise.reject(new StoreError("unreachable", "unavailable", "does not answer", {}));
  await outcome(guard.ask(lost));
  await guard.ask(async () => "figures");
  await vi.advanceTimersByTimeAsync(2_000);
  await guard.ask(lost).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(500);
  expect(await guard.ask(async () => guard.outage)).toEqual({ seconds: expect.closeTo(62.5, 0), endedSeconds: 0 });
  await vi.advanceTimersByTimeAsync(30_000);
  await guard.ask(lost).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await guard.ask(async () => guard.outage)).toEqual({ seconds: expect.closeTo(3, 0), endedSeconds: 0 });
});

test("a table that is missing is no outage of its database", async () => {
  const guard = lineOf(async () => undefined);
  await outcome(guard.ask(() => Promise.reject(new StoreError("missing", "unavailable", "no such table", {}))));
  expect(guard.outage).toBeNull();
});
