import { expect, test } from "vitest";
import type { OutboxRetention, RemovedRows, RetentionEnd } from "#db/stores/port/retention.ts";
import { AppError } from "#domain/errors.ts";
import type { RetentionPolicy } from "./policies-of.ts";
import { runPolicy } from "./run-policy.ts";

const POLICY: RetentionPolicy = {
  subject: "published",
  text: "published 14 d, then delete",
  rule: { keepSeconds: 86_400, how: "delete", reader: null },
};

/** A store that answers each batch as the test says, and remembers the sizes asked for. */
function storeThat(answers: (batch: number) => Partial<RemovedRows> | AppError, more: Partial<OutboxRetention> = {}) {
  const limits: number[] = [];
  const ends: [RetentionEnd, string | null][] = [];
  const retention: OutboxRetention = {
    refuses: async () => null,
    preview: () => Promise.reject(new Error("not asked for here")),
    removeSome: async (_, { limit }) => {
      const answer = answers(limits.push(limit));
      if (answer instanceof AppError) throw answer;
      return { rows: limit, bytes: 0, kept: [], next: "more", ...answer };
    },
    purgeArchived: () => Promise.reject(new Error("not asked for here")),
    pressure: async () => ({ probeMs: 1, heldBack: null, databaseTimeMs: Date.now() }),
    begin: async () => "run",
    end: async (_, end, detail) => void ends.push([end, detail]),
    count: async () => undefined,
    runs: async () => [],
    ...more,
  };
  return { retention, limits, ends };
}

const run = ({ retention }: Pick<ReturnType<typeof storeThat>, "retention">, after: string | null = null) =>
  runPolicy({ retention, policy: POLICY, after, budgetMs: 60_000, signal: new AbortController().signal });

test("goes on until no old row is left, and says what stays and why", async () => {
  const kept = [{ reason: "a relay has them in a claim", rows: 1 }];
  const store = storeThat((batch) => (batch < 2 ? { kept } : { rows: 7, next: null, kept }));
  expect(await run(store)).toMatchObject({ rows: 1_007, end: "done", after: null });
  expect(store.ends).toEqual([["done", "2 old rows kept: a relay has them in a claim."]]);
});

test("a batch that times out is tried again at half the size, and the smallest one ends the turn", async () => {
  const store = storeThat(() => new AppError("query_timeout", "too slow"));
  const aborting = new AbortController();
  const { retention } = store;
  const result = runPolicy({ retention, policy: POLICY, after: "here", budgetMs: 2_000, signal: aborting.signal });
  await expect.poll(() => store.limits.slice(0, 2)).toEqual([1_000, 500]);
  aborting.abort();
  expect(await result).toMatchObject({ rows: 0, end: "stopped", after: "here" });
});

test("rows that went before a failure are counted, and the failure is how the turn ended", async () => {
  const store = storeThat((batch) => (batch < 2 ? {} : new AppError("unavailable", "the connection broke")));
  expect(await run(store)).toMatchObject({ rows: 1_000, end: "failed", detail: "The connection broke." });
  expect(store.ends).toEqual([["failed", "The connection broke."]]);
});

test("after a failure the next turn begins with the oldest row, because the place may be of an index that is gone", async () => {
  const store = storeThat(() => new AppError("unavailable", "invalid input syntax for type timestamp"));
  expect(await run(store, '["123456"]')).toMatchObject({ rows: 0, end: "failed", after: null });
});

test("a held snapshot pauses it before the first batch", async () => {
  const heldBack =
    "pid 7 has kept a transaction open for 2 m 00 s, and removed rows cannot be cleaned up before it ends";
  const store = storeThat(() => ({}), { pressure: async () => ({ probeMs: 1, heldBack, databaseTimeMs: Date.now() }) });
  expect(await run(store, "here")).toMatchObject({ rows: 0, end: "busy", after: "here" });
  expect(store.limits).toEqual([]);
  expect(store.ends[0]?.[1]).toMatch(/^Pid 7 has kept/);
});

test("a database whose clock has jumped ahead loses no row to its age", async () => {
  const tomorrow = async () => ({ probeMs: 1, heldBack: null, databaseTimeMs: Date.now() + 86_400_000 });
  const store = storeThat(() => ({}), { pressure: tomorrow });
  expect(await run(store, "here")).toMatchObject({ rows: 0, end: "refused", after: "here" });
  expect(store.limits).toEqual([]);
  expect(store.ends[0]?.[1]).toMatch(/^The database's clock is 1 d 0 h ahead of this worker's/);
});

test("a clock that jumps between two batches ends the turn", async () => {
  let batches = 0;
  const pressure = async () => ({ probeMs: 1, heldBack: null, databaseTimeMs: Date.now() + 86_400_000 * batches });
  const store = storeThat(
    (batch) => {
      batches = batch;
      return {};
    },
    { pressure },
  );
  expect(await run(store)).toMatchObject({ end: "refused" });
  expect(store.limits).toHaveLength(1);
});

test("a lock that is held ends the turn, and so does a refusal, before anything is removed", async () => {
  const locked = storeThat(() => new AppError("locked", "held"));
  expect(await run(locked)).toMatchObject({ end: "locked", rows: 0 });
  const refused = storeThat(() => ({}), { refuses: async () => "Another table references its rows." });
  expect(await run(refused)).toMatchObject({ end: "refused", detail: "Another table references its rows." });
  expect(refused.limits).toEqual([]);
});

test("a store that fails in between is told in the history, with what had gone before", async () => {
  const store = storeThat((batch) => (batch === 1 ? {} : new AppError("unavailable", "It does not answer.")));
  expect(await run(store)).toMatchObject({ end: "failed", detail: "It does not answer." });
  expect(store.ends).toEqual([["failed", "It does not answer."]]);
});
