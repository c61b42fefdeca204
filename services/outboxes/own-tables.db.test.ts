import { afterAll, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { targetedRequestSchema } from "#contracts/message/operations.ts";
import { OUTBOX_WITH_ARCHIVE } from "#tests/factories/layouts.ts";
import { ADMIN, contextOf, openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { parseConfig } from "../config/load-config.ts";
import { checkHealth } from "../health/check-health.ts";
import { renderMetrics } from "../health/render-metrics.ts";
import { listFailureGroups } from "../messages/list-failure-groups.ts";
import { listMessages } from "../messages/list-messages.ts";
import { performOperation } from "../operations/perform-operation.ts";
import { openRuntime, type Runtime } from "../runtime.ts";
import { takeSnapshot } from "./take-snapshot.ts";

const database = testDatabase();
const runtimes: Runtime[] = [];
afterAll(async () => {
  for (const runtime of runtimes) await runtime.close();
});

function open(mode: "operate" | "observe"): Runtime {
  const yaml = `stores: { default: { kind: postgres, url: "${database().url}" } }\noutboxes: { o: { table: public.outbox, mode: ${mode} } }`;
  const runtime = openRuntime({ config: parseConfig(yaml, {}, "test"), applicationName: "own tables", env: {} });
  runtimes.push(runtime);
  return runtime;
}

test("an outbox that was operated and is only observed now may have dead letters that are not read", async () => {
  const { pool } = database();
  await pool.query(OUTBOX_WITH_ARCHIVE);
  await pool.query("INSERT INTO outbox SELECT gen_random_uuid(), 'order', '1', 'b', '{}', now(), NULL");
  const operated = open("operate");
  const waiting = messageQuerySchema.parse({ state: "pending" });
  const { messages } = await listMessages({ runtime: operated, outbox: "o", query: waiting });
  const targets = messages.map(({ id, version }) => ({ id, version }));
  const request = targetedRequestSchema.parse({ action: "dead-letter", targets, reason: "INC-1" });
  const ctx = contextOf(operated, ADMIN);
  expect(await performOperation({ ctx, outbox: "o", request, idempotencyKey: null })).toMatchObject({ done: 1 });

  const found = openTestRuntime(database().url, { discover: true });
  runtimes.push(found);
  const unknown = { value: 0, precision: "unknown" };
  const unread = expect.stringContaining("only observed");
  const dead = messageQuerySchema.parse({ state: "dead" });
  for (const [runtime, outbox] of [
    [open("observe"), "o"],
    [found, "outbox"],
  ] as const) {
    expect((await takeSnapshot({ runtime, outbox })).counts).toMatchObject({ dead: unknown, archived: unknown });
    expect(await listMessages({ runtime, outbox, query: dead })).toMatchObject({ matching: unknown, unread });
    const check = (await checkHealth({ runtime, outbox })).checks?.[`${outbox}:dead`]?.[0];
    expect(check).toMatchObject({ observedValue: null, output: "It is unknown how many messages are dead." });
  }
  await pool.query(
    "DROP SCHEMA public CASCADE; CREATE SCHEMA public; TRUNCATE outbox_console.mapping_fingerprint, outbox_console.dead_letter",
  );
});

test("without the console's own tables, what they record is unknown and never nothing; an observed outbox records nothing", async () => {
  const { pool } = database();
  await pool.query(OUTBOX_WITH_ARCHIVE);
  await pool.query("INSERT INTO outbox SELECT gen_random_uuid(), 'order', '1', 'b', '{}', now(), NULL");
  const before = await takeSnapshot({ runtime: open("operate"), outbox: "o" });
  expect(before.counts.dead).toEqual({ value: 0, precision: "exact" });
  await pool.query("DROP SCHEMA outbox_console CASCADE");

  const runtime = open("operate");
  const { counts } = await takeSnapshot({ runtime, outbox: "o" });
  const unknown = { value: 0, precision: "unknown" };
  expect(counts).toMatchObject({ dead: unknown, failed: unknown, in_flight: unknown, archived: unknown });
  expect(counts.pending).toEqual({ value: 1, precision: "exact" });
  const { text } = await renderMetrics({ runtime });
  expect(text).not.toMatch(/outbox_messages\{outbox="o",state="dead"\}/);
  expect((await checkHealth({ runtime })).checks?.["o:dead"]?.[0]?.status).toBe("warn");
  const dead = messageQuerySchema.parse({ state: "dead" });
  const unread = expect.stringContaining("own tables are missing");
  expect(await listMessages({ runtime, outbox: "o", query: dead })).toMatchObject({ matching: unknown, unread });
  expect(await listFailureGroups({ runtime, outbox: "o" })).toMatchObject({ complete: false, unread });

  const observed = await takeSnapshot({ runtime: open("observe"), outbox: "o" });
  expect(observed.counts.dead).toEqual({ value: 0, precision: "exact" });
});
