import { pino } from "pino";
import { expect, test } from "vitest";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { RelayStats } from "../pipeline/state/relay-stats.ts";
import { ForeignWatch } from "./foreign-watch.ts";

const SECOND = 1000;

/** A watch whose store gives these answers, one per check, while we hold the lease for so long. */
function watchOf(answers: (readonly string[] | null)[], ownsForSeconds = Number.POSITIVE_INFINITY) {
  const windows: number[] = [];
  const stats = new RelayStats();
  const recentlyPublished: RelayTable["recentlyPublished"] = async ({ windowMs }) => {
    windows.push(windowMs / SECOND);
    return answers.shift() ?? null;
  };
  const beganMs = performance.now();
  const watch = new ForeignWatch({
    table: { recentlyPublished },
    ...{ lease: {} as Lease, stats, log: pino({ level: "silent" }), inMemory: () => false },
    ownsUntilMs: () => beganMs + ownsForSeconds * SECOND,
  });
  /** The check this many seconds after the term began. */
  const lookAt = async (seconds: number) => {
    watch.tick(beganMs + seconds * SECOND);
    await new Promise((resolve) => setImmediate(resolve));
    return windows.at(-1) ?? 0;
  };
  return { stats, lookAt };
}

test("marks that the server's statistics show late are looked for from the last look at the rows on", async () => {
  const { stats, lookAt } = watchOf([[], null, null, ["late"]]);
  await lookAt(9);
  await lookAt(18);
  await lookAt(27);
  expect(await lookAt(36)).toBeGreaterThanOrEqual(27);
  expect(stats.foreignUnclaimed).toBe(1);
});

test("a look that comes late misses nothing", async () => {
  const { lookAt } = watchOf([[], []]);
  await lookAt(9);
  expect(await lookAt(40)).toBeGreaterThanOrEqual(31);
});

test("a row that several looks see counts once", async () => {
  const { stats, lookAt } = watchOf([["a", "b"], [], ["a", "b", "c"]]);
  await lookAt(9);
  await lookAt(18);
  await lookAt(27);
  expect(stats.foreignUnclaimed).toBe(3);
});

test("after a freeze the lease has expired: another instance of ours may have published, and nothing is said", async () => {
  const { stats, lookAt } = watchOf([["theirs"]], 8);
  expect(await lookAt(9)).toBe(0);
  expect(stats.foreignUnclaimed).toBe(0);
});

test("our own mark is no foreign one where it is forgotten while the database answers slowly", async () => {
  const stats = new RelayStats();
  const beganMs = performance.now();
  const { promise: answered, resolve: answer } = Promise.withResolvers<readonly string[]>();
  const watch = new ForeignWatch({
    table: { recentlyPublished: () => answered },
    ...{ lease: {} as Lease, stats, log: pino({ level: "silent" }), inMemory: () => false },
    ownsUntilMs: () => Number.POSITIVE_INFINITY,
  });
  watch.recent.note(["ours"], beganMs + 5 * SECOND);
  watch.tick(beganMs + 24 * SECOND);
  // Later marks push it out of the memory of 20 s.
  watch.recent.note(["later"], beganMs + 27 * SECOND);
  answer(["ours", "theirs"]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(stats.foreignUnclaimed).toBe(1);
});
