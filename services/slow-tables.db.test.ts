import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { startProtocolProxy } from "#tests/protocol-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { messageReader, type WireMessage } from "#tests/wire-proxy.ts";
import { checkHealth } from "./health/check-health.ts";
import { renderMetrics } from "./health/render-metrics.ts";
import { listInboxes } from "./inboxes/list-inboxes.ts";
import { listOutboxes } from "./outboxes/list-outboxes.ts";
import type { Runtime } from "./runtime.ts";

const database = testDatabase("empty");
/** Statements about this table are answered late; all others at once. */
let slow: string | null = null;
/** Later than any caller waits for figures, and before a statement is given up. */
const LATE_MS = 2_700;

/** What the client sends on one connection arrives in order, after the delay of what came before it. */
function joinSlowly(client: Socket, upstream: Socket): void {
  const read = messageReader();
  const prepared = new Map<string, string>();
  let sent: Promise<void> = Promise.resolve();
  const isLate = ({ type, bytes }: WireMessage) => {
    const [first = "", second = ""] = bytes.subarray(5).toString("latin1").split("\0");
    if (type === "P") prepared.set(first, second);
    const statement = type === "B" ? (prepared.get(second) ?? "") : type === "Q" ? first : "";
    return slow !== null && statement.includes(`"${slow}"`);
  };
  client.once("data", (startup) => {
    upstream.write(startup);
    client.on("data", (chunk) => {
      const waits = read(chunk).some(isLate);
      sent = sent.then(async () => {
        if (waits) await delay(LATE_MS);
        if (!upstream.destroyed) upstream.write(chunk);
      });
    });
  });
  upstream.pipe(client);
}
let proxy: Awaited<ReturnType<typeof startProtocolProxy>>;
let runtime: Runtime;

beforeAll(async () => {
  const url = new URL(database().url);
  proxy = await startProtocolProxy({ host: url.hostname, port: Number(url.port) }, joinSlowly);
  for (const name of ["quick", "slow"])
    await database().pool.query(`
      CREATE TABLE ${name}_outbox (id uuid PRIMARY KEY, aggregate_id text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz);
      CREATE TABLE ${name}_inbox (message_id text PRIMARY KEY, received_at timestamptz NOT NULL, processed_at timestamptz)`);
  url.port = String(proxy.port);
  runtime = openTestRuntime(url.href, {
    outboxes: { quick: { store: "shop", table: "quick_outbox" }, slow: { store: "shop", table: "slow_outbox" } },
    inboxes: {
      quick_in: { store: "shop", table: "quick_inbox" },
      slow_in: { store: "shop", table: "slow_inbox" },
    },
  });
});
afterAll(async () => {
  await runtime.close();
  await proxy.close();
});

const statusesOf = async () => {
  const { status, checks } = await checkHealth({ runtime });
  const worst = (name: string) =>
    Object.entries(checks ?? {})
      .filter(([key]) => key.startsWith(`${name}:`))
      .flatMap(([, list]) => list.filter((check) => check.status !== "pass").map((check) => check.output ?? ""));
  return { status, quick: worst("quick"), quickIn: worst("quick_in"), slow: worst("slow"), slowIn: worst("slow_in") };
};
const passes = () => waitFor(async () => (await statusesOf()).status === "pass", { message: "health passes" });
const FROM_BEFORE = /answers, but too slowly to read the figures\. These are from \d+ s ago\.$/;

test("while one table is slow, its last figures are shown with their age as a warning, and all others are as ever", async () => {
  await passes();
  slow = "slow_outbox";
  const { said, list, metrics } = await waitFor(
    async () => {
      const asked = [statusesOf(), listOutboxes({ runtime }), renderMetrics({ runtime })] as const;
      const [said, list, metrics] = await Promise.all(asked);
      return said.slow.some((text) => FROM_BEFORE.test(text)) && list.problems.length > 0 && { said, list, metrics };
    },
    { message: "health and the list say how old the figures are" },
  );
  expect(said).toMatchObject({ status: "warn", quick: [], quickIn: [], slowIn: [] });
  const pending = Object.fromEntries(list.outboxes.map(({ name, figures }) => [name, figures?.pending.value]));
  expect(pending).toEqual({ quick: 0, slow: 0 });
  expect(list.problems).toEqual([{ store: "shop", message: expect.stringMatching(FROM_BEFORE) }]);
  expect(list.fleet.status).toBe("warn");
  expect(list.stores).toMatchObject([{ name: "shop", answers: true }]);
  expect(metrics.text).toContain('outbox_up{outbox="slow"} 1');
  slow = null;
  await passes();
});

test("one slow inbox makes no other inbox fail", async () => {
  await passes();
  slow = "slow_inbox";
  const late = await waitFor(
    async () => {
      const said = await statusesOf();
      return said.slowIn.some((text) => FROM_BEFORE.test(text)) && said;
    },
    { message: "health says how old the figures are" },
  );
  expect(late).toMatchObject({ status: "warn", quick: [], quickIn: [], slow: [] });
  const { inboxes } = await listInboxes({ runtime });
  expect(inboxes).toMatchObject([
    { name: "quick_in", problem: null, figures: { total: { value: 0 } } },
    { name: "slow_in", problem: expect.stringMatching(FROM_BEFORE), figures: { total: { value: 0 } } },
  ]);
  slow = null;
  await passes();
});
