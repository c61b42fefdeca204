import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { GroupAct } from "#contracts/message/groups.ts";
import type { Actor } from "#domain/operator.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { contextOf, OPERATOR, openOperatedRuntime, openTestRuntime, VIEWER } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { listAudit } from "../audit/list-audit.ts";
import { listFailureGroups } from "../messages/list-failure-groups.ts";
import type { Runtime } from "../runtime.ts";
import { changeGroup, getGroupMemory } from "./change-group.ts";

const database = testDatabase("migrated");
let runtime: Runtime;
const BEN: Actor = { name: "ben", role: "operator" };

beforeAll(async () => {
  await database().pool.query(OUTBOX_EVENTS);
  runtime = openOperatedRuntime(database().url, "outbox_events");
});
afterAll(() => runtime.close());
beforeEach(() =>
  database().pool.query(
    "TRUNCATE outbox_console.delivery, outbox_console_app.group_mark, outbox_console_app.group_note, outbox_console_app.audit",
  ),
);

/** Messages of group `fx` that began to fail, and failed last, so many minutes ago. */
async function fail(minutesAgo: number, messages = 1): Promise<void> {
  await database().pool.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, attempts, event_type, last_error_code, last_error, first_failed_at, last_failed_at, fingerprint)
     SELECT 'orders', gen_random_uuid()::text, 3, 'order.placed', 'server_error', 'HTTP 500: no FX rate', clock_timestamp() - make_interval(mins => $1),
       clock_timestamp() - make_interval(mins => $1), 'fx' FROM generate_series(1, $2)`,
    [minutesAgo, messages],
  );
}
const act = (change: GroupAct, actor: Actor = OPERATOR, group = "fx") =>
  changeGroup({ ctx: contextOf(runtime, actor), outbox: "orders", group, act: change });
const memory = () => getGroupMemory({ runtime, outbox: "orders", group: "fx" });
const listed = async () => (await listFailureGroups({ runtime, outbox: "orders" })).groups[0];
const lastSeen = async () => (await listed())?.lastSeenAt ?? "";

describe("a failure group", () => {
  test("keeps its notes when its messages are gone, and shows them when it comes back", async () => {
    await fail(30);
    await act({ act: "note", text: "Safe to retry: the gateway ignores repeats." });
    await database().pool.query("TRUNCATE outbox_console.delivery");
    await act({ act: "note", text: "Retried at 14:31." }, BEN);
    expect(await memory()).toMatchObject({
      title: "HTTP 500: no FX rate",
      notes: [
        { by: "ben", text: "Retried at 14:31." },
        { by: "olga", text: "Safe to retry: the gateway ignores repeats." },
      ],
    });
    await fail(0);
    expect((await listed())?.mark?.notes).toBe(2);
  });

  test("is claimed by one person; the second learns who has it, and may take it over or release it", async () => {
    await fail(5);
    await act({ act: "claim", from: null });
    await expect(act({ act: "claim", from: null }, BEN)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^olga has been on this group since \d\d:/),
    });
    await act({ act: "claim", from: "olga" }, BEN);
    expect((await listed())?.mark?.claim).toMatchObject({ by: "ben" });
    await expect(act({ act: "release", from: "olga" })).rejects.toMatchObject({ code: "conflict" });
    expect((await act({ act: "release", from: "ben" }, BEN)).mark?.claim).toBe(null);
    const { entries } = await listAudit({ runtime, query: { limit: 10 } });
    expect(entries.map(({ actor, action, detail }) => `${actor} ${action} ${detail}`)).toEqual([
      "ben group.release HTTP 500: no FX rate: of ben",
      "ben group.claim HTTP 500: no FX rate: taken over from olga",
      "olga group.claim HTTP 500: no FX rate",
    ]);
  });

  test("belongs to its error text: a group by code or type is refused with what to do instead", async () => {
    await fail(5);
    for (const group of ["code:server_error", "type:order.placed", "type:"]) {
      const claim = changeGroup({
        ctx: contextOf(runtime, OPERATOR),
        ...{ outbox: "orders", group },
        act: { act: "claim", from: null },
      });
      await expect(claim).rejects.toMatchObject({
        code: "wrong_state",
        message: expect.stringContaining("group by error text"),
      });
    }
  });

  test("of two who claim at the same time one gets it", async () => {
    await fail(5);
    const both = await Promise.allSettled([OPERATOR, BEN].map((actor) => act({ act: "claim", from: null }, actor)));
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("comes back after it was resolved when a failure arrives that was not seen then", async () => {
    await fail(5);
    await act({ act: "resolve", seen: await lastSeen() });
    expect((await listed())?.mark?.resolved).toMatchObject({ by: "olga", cameBackAt: null });
    await fail(0);
    const group = await listed();
    expect(group?.mark?.resolved?.cameBackAt).toBe(group?.lastSeenAt);
    expect((await act({ act: "reopen" })).mark?.resolved).toBe(null);
    await expect(act({ act: "reopen" })).rejects.toMatchObject({ code: "wrong_state" });
  });

  test("comes back if it failed between what the person saw and the click", async () => {
    await fail(5);
    const seen = await lastSeen();
    await fail(1);
    expect((await act({ act: "resolve", seen })).mark?.resolved?.cameBackAt).toBe(await lastSeen());
  });

  test("counts its messages by the hour in which they began to fail", async () => {
    await fail(0, 2);
    await fail(59);
    await fail(61, 3);
    await fail(23 * 60 + 59);
    await fail(24 * 60 + 1, 5);
    const hours = (await listed())?.newByHour;
    expect(hours).toEqual([1, ...Array(21).fill(0), 3, 3]);
  });

  test("is ignored up to a rate, stays in the list with its counts, and is shown above the rate", async () => {
    await fail(5, 3);
    await act({ act: "ignore", upTo: 4, reason: "known bad customer" });
    expect(await listed()).toMatchObject({ messages: 3, mark: { ignored: { upTo: 4, folded: true } } });
    await fail(1, 2);
    expect(await listed()).toMatchObject({ messages: 5, mark: { ignored: { folded: false } } });
    expect((await act({ act: "heed" })).mark?.ignored).toBe(null);
  });

  test("without recorded times is neither resolved nor ignored, because nobody could tell when that ends", async () => {
    await fail(5);
    await database().pool.query("UPDATE outbox_console.delivery SET first_failed_at = NULL, last_failed_at = NULL");
    await expect(act({ act: "resolve", seen: new Date().toISOString() })).rejects.toMatchObject({
      code: "wrong_state",
    });
    await expect(act({ act: "ignore", upTo: 4, reason: "known" })).rejects.toMatchObject({ code: "wrong_state" });
    expect((await memory()).mark).toBe(null);
  });

  test("that never failed, and people without the role, are refused without a trace", async () => {
    await fail(5);
    await expect(act({ act: "claim", from: null }, VIEWER)).rejects.toMatchObject({ code: "forbidden" });
    for (const group of ["other", "\0", "x".repeat(65)])
      await expect(act({ act: "claim", from: null }, OPERATOR, group)).rejects.toMatchObject({ code: "not_found" });
    expect((await listAudit({ runtime, query: { limit: 10 } })).entries).toEqual([]);
    const { rows } = await database().pool.query("SELECT FROM outbox_console_app.group_mark");
    expect(rows).toHaveLength(0);
  });
});

test("groups are read without the console's database, and it is said what is missing", async () => {
  await fail(5);
  const observing = openTestRuntime(database().url, {
    outboxes: { orders: { store: "shop", table: "outbox_events", mode: "observe" } },
  });
  const { groups, markProblem } = await listFailureGroups({ runtime: observing, outbox: "orders" });
  await observing.close();
  expect(groups.map(({ mark }) => mark)).toEqual(groups.map(() => null));
  expect(markProblem).toContain("console.databaseUrl");
});
