import { expect, test } from "vitest";
import { LeaseLostError } from "../../port/relay/lease.ts";
import { StreamError } from "../../port/relay/relay-stream.ts";
import type { RelayTable } from "../../port/relay/relay-table.ts";
import { isUnreachable, troubleOf } from "../../port/store-error.ts";
import { TableChangedError } from "../../port/table-changed-error.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { withPortErrors } from "./port-errors.ts";

const driver = (code: string) => Object.assign(new Error(`said ${code}`), { code });

/** The error that a relay gets when a statement of its table throws. */
async function seen(error: unknown, options?: { accepted: boolean }): Promise<unknown> {
  const table = { outbox: "orders", readPauses: () => Promise.reject(error) } as unknown as RelayTable;
  return withPortErrors(table, options)
    .readPauses()
    .catch((thrown: unknown) => thrown);
}

test("a lost connection, a commit in doubt and a lock are told apart, in the database's words", async () => {
  expect(await seen(driver("ECONNRESET"))).toMatchObject({ trouble: "unreachable", message: "said ECONNRESET" });
  expect(await seen(new Error("Client has encountered a connection error and is not queryable"))).toMatchObject({
    trouble: "unreachable",
    message: "the connection was lost",
  });
  expect(await seen(driver("55P03"))).toMatchObject({ trouble: "locked", message: "said 55P03" });
  const doubt = await seen(new CommitInDoubtError(driver("ECONNRESET")));
  expect(troubleOf(doubt)).toBe("commit_in_doubt");
  expect(isUnreachable(doubt)).toBe(true);
});

test("a refusal says what to change", async () => {
  const refused = await seen(driver("28P01"));
  expect(refused).toMatchObject({ trouble: "refused", message: expect.stringContaining("refuses the user name") });
});

test("a statement that fails over what it names says that the accepted table has changed", async () => {
  expect(await seen(driver("42703"), { accepted: true })).toBeInstanceOf(TableChangedError);
  const missing = driver("42703");
  expect(await seen(missing, { accepted: false })).toBe(missing);
});

test("a table of our own that is missing is no change of the accepted one", async () => {
  const missing = Object.assign(new Error('relation "outbox_console.claim" does not exist'), { code: "42P01" });
  expect(await seen(missing, { accepted: true })).toBe(missing);
});

test("of the stream, only what names the table: a slot that is missing is no changed table", async () => {
  const missing = driver("42704");
  const rejects = () => Promise.reject(missing);
  const table = { outbox: "orders", stream: { claim: rejects, status: rejects } } as unknown as RelayTable;
  const { stream } = withPortErrors(table, { accepted: true }) as unknown as { stream: Record<string, typeof rejects> };
  await expect(stream.claim?.()).rejects.toBeInstanceOf(TableChangedError);
  await expect(stream.status?.()).rejects.toBe(missing);
});

test("errors of the port, and what nobody tells apart, pass as they are", async () => {
  const problem = { code: "connection", passes: true, message: "Connection terminated", sql: null };
  for (const error of [new LeaseLostError("over"), new StreamError(problem), driver("22003"), new TypeError("bug")])
    expect(await seen(error)).toBe(error);
});

test("what asks nothing of the database answers at once, and getters stay live", () => {
  let count = 1;
  const table = {
    outbox: "orders",
    compareOrder: () => -1,
    get suspectCount() {
      return count;
    },
  } as unknown as RelayTable;
  const wrapped = withPortErrors(table);
  expect(wrapped.compareOrder(["1", "1"], ["2", "2"])).toBe(-1);
  count = 5;
  expect(wrapped.suspectCount).toBe(5);
});
