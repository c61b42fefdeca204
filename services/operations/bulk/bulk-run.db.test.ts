import { afterEach, expect, test, vi } from "vitest";
import type { BulkRecords } from "#db/stores/port/bulk-records.ts";
import { StoreError } from "#db/stores/port/store-error.ts";
import { waitFor } from "#tests/wait-for.ts";
import { takeSnapshot } from "../../outboxes/take-snapshot.ts";
import { bulkOutbox } from "./bulk-outbox.fixture.ts";

const outbox = bulkOutbox();
afterEach(() => void vi.restoreAllMocks());

/** The `nth` answer of the method is lost, after what it wrote was committed. */
function losing(bulk: BulkRecords, method: "addItems" | "settle", nth: number): BulkRecords {
  let calls = 0;
  const wrapped = async (...args: unknown[]) => {
    const answer = await (bulk[method] as (...args: unknown[]) => Promise<boolean>)(...args);
    calls += 1;
    if (calls === nth) throw new StoreError("commit_in_doubt", "unavailable", "the connection was lost", {});
    return answer;
  };
  return { ...bulk, [method]: wrapped };
}

test.each([
  ["the first page of its items", "addItems", 1],
  ["the last page of its items", "addItems", 2],
  ["outcomes of retried messages", "settle", 1],
] as const)("an operation goes on after the answer to %s was lost", async (_, method, nth) => {
  await outbox.put(1200);
  const { records } = (await outbox.runtime().outbox("orders")).store;
  Object.assign(records, { bulk: losing(records.bulk as BulkRecords, method, nth) });
  await outbox.work();
  const { id } = await outbox.start({ action: "retry", filter: { state: "dead" }, confirm: 1200 });
  const ended = await outbox.until(id, "finished", "publish");
  expect(ended.bulk?.counts).toMatchObject({ selected: 1200, published: 1200, left: 0 });
  expect(await outbox.query("SELECT count(*)::int AS n FROM outbox_console.operation_item")).toEqual([{ n: 1200 }]);
});

test("an operation halts at an error that nobody expected, says so, and goes on when it is resumed", async () => {
  await outbox.put(3);
  const { records } = (await outbox.runtime().outbox("orders")).store;
  const { bulk } = records;
  const next = () => Promise.reject(new TypeError("a mistake of ours"));
  Object.assign(records, { bulk: { ...bulk, next } });
  await outbox.work();
  const { id } = await outbox.start({ action: "retry", filter: { state: "dead" } });
  const halted = await outbox.until(id, "halted");
  expect(halted.bulk).toMatchObject({ counts: { left: 3 }, runner: null });
  expect(halted.bulk?.note).toMatch(/^An unexpected error of this program stopped it/);
  Object.assign(records, { bulk });
  await outbox.command(id, "resume");
  const ended = await outbox.until(id, "finished", "publish");
  expect(ended.bulk?.counts).toMatchObject({ published: 3 });
});

test("an operation whose retried messages do not go out says what the outbox's verdict says of it", async () => {
  await outbox.put(30);
  await outbox.work();
  const { id } = await outbox.start({ action: "retry", filter: { state: "dead" } });
  const noteOf = async () => (await outbox.get(id)).bulk?.note ?? "";
  await waitFor(async () => (await outbox.get(id)).bulk?.counts.released === 10, { message: "the canary is due" });
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 60_000);
  await waitFor(async () => (await noteOf()).startsWith("Waits:"), { message: "the operation says that it waits" });
  const { verdict } = await takeSnapshot({ runtime: outbox.runtime(), outbox: "orders" });
  expect(verdict.cause).toMatch(/due since/);
  expect(await noteOf()).toMatch(
    /^Waits: 10 retried messages are due and none was published for \d+ s\. Overdue: .*due since/,
  );
});
