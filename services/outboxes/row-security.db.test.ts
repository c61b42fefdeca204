import { afterAll, beforeAll, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { OUTBOX_WITH_ARCHIVE } from "#tests/factories/layouts.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { parseConfig } from "../config/load-config.ts";
import { checkTables } from "../doctor/check-tables.ts";
import { checkHealth } from "../health/check-health.ts";
import { renderMetrics } from "../health/render-metrics.ts";
import { listInboxes } from "../inboxes/list-inboxes.ts";
import { listFailureGroups } from "../messages/list-failure-groups.ts";
import { listMessages } from "../messages/list-messages.ts";
import { openRuntime, type Runtime } from "../runtime.ts";
import { getOutbox } from "./get-outbox.ts";
import { takeSnapshot } from "./take-snapshot.ts";

const database = testDatabase("empty");
const USER = `hidden_${process.pid}`;
let url: string;
const runtimes: Runtime[] = [];

beforeAll(async () => {
  const { pool } = database();
  await pool.query(OUTBOX_WITH_ARCHIVE);
  await pool.query(
    "INSERT INTO outbox SELECT gen_random_uuid(), 'order', n::text, 'b', '{}', now() - interval '1 hour', NULL FROM generate_series(1, 20) n",
  );
  await pool.query("ALTER TABLE outbox ENABLE ROW LEVEL SECURITY; ALTER TABLE inbox ENABLE ROW LEVEL SECURITY");
  await pool.query(`CREATE ROLE ${USER} LOGIN PASSWORD 'hidden'; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${USER}`);
  const parsed = new URL(database().url);
  [parsed.username, parsed.password] = [USER, "hidden"];
  url = parsed.toString();
});

afterAll(async () => {
  for (const runtime of runtimes) await runtime.close();
  await database().pool.query(`DROP OWNED BY ${USER}; DROP ROLE ${USER}`);
});

function open(outboxes = ""): Runtime {
  const yaml = `stores: { default: { kind: postgres, url: "${url}" } }\n${outboxes}`;
  const runtime = openRuntime({ config: parseConfig(yaml, {}, "test"), applicationName: "rls test", env: {} });
  runtimes.push(runtime);
  return runtime;
}

async function doctor(runtime: Runtime): Promise<string> {
  const lines: string[] = [];
  await checkTables(runtime, {
    ok: (text) => lines.push(text),
    advise: (text) => lines.push(text),
    bad: (text, fix) => lines.push(`${text}\n${fix}`),
  });
  return lines.join("\n");
}

test("rows that row level security hides are unknown, and never nothing", async () => {
  const runtime = open();
  const snapshot = await takeSnapshot({ runtime, outbox: "outbox" });
  const { archived: _, ...inTable } = snapshot.counts;
  for (const figure of Object.values(inTable)) expect(figure.precision).toBe("unknown");
  expect(snapshot.oldestPendingKnown).toBe(false);
  expect(snapshot.verdict).toMatchObject({ word: "unknown", cause: expect.stringContaining("row level security") });
  const health = await checkHealth({ runtime });
  expect(health.status).toBe("warn");
  expect(health.checks?.["outbox:verdict"]?.[0]?.output).toContain("row level security hides rows");
  const { text } = await renderMetrics({ runtime });
  expect(text).not.toMatch(/outbox_messages\{outbox="outbox",state="pending"\}/);
  const list = await listMessages({ runtime, outbox: "outbox", query: messageQuerySchema.parse({}) });
  expect(list.matching.precision).toBe("unknown");
  expect((await listFailureGroups({ runtime, outbox: "outbox" })).complete).toBe(false);
  expect((await getOutbox({ runtime, outbox: "outbox" })).warnings).toContainEqual(expect.stringContaining("doctor"));
});

test("a policy that comes later is in the next reading, not a minute later", async () => {
  const { pool } = database();
  await pool.query("ALTER TABLE outbox DISABLE ROW LEVEL SECURITY");
  const observed = open();
  const operated = open("outboxes: { o: { table: public.outbox, mode: operate } }");
  expect((await takeSnapshot({ runtime: observed, outbox: "outbox" })).counts.pending.value).toBe(20);
  expect((await takeSnapshot({ runtime: operated, outbox: "o" })).counts.pending.value).toBe(20);
  await pool.query("ALTER TABLE outbox ENABLE ROW LEVEL SECURITY");
  const cause = async (runtime: Runtime) =>
    Object.values((await checkHealth({ runtime })).checks ?? {})
      .flat()
      .map(({ output }) => output)
      .join("\n");
  await waitFor(async () => /row level security hides rows/.test(await cause(observed)), { message: "it says so" });
  await waitFor(async () => /Row level security keeps rows .* CREATE POLICY/.test(await cause(operated)), {
    message: "it says what to do",
  });
});

test("an inbox whose rows are hidden is not known either, and no outage", async () => {
  const runtime = open();
  const { inboxes } = await listInboxes({ runtime });
  expect(inboxes.find(({ name }) => name === "inbox")).toMatchObject({
    figures: null,
    problem: expect.stringContaining("Row level security hides rows"),
  });
  const { checks } = await checkHealth({ runtime });
  expect(checks?.["inbox:oldestUnprocessed"]?.[0]?.status).toBe("warn");
});

test("the doctor prints the SQL, which helps", async () => {
  const before = await doctor(open());
  expect(before).toContain(`CREATE POLICY outbox_console ON "public"."outbox" FOR SELECT TO "${USER}" USING (true);`);
  expect(before).toContain(`ALTER ROLE "${USER}" BYPASSRLS;`);
  const { pool } = database();
  await pool.query(`CREATE POLICY outbox_console ON outbox FOR SELECT TO ${USER} USING (true)`);
  const runtime = open();
  expect((await takeSnapshot({ runtime, outbox: "outbox" })).counts.pending).toEqual({ value: 20, precision: "exact" });
  expect(await doctor(runtime)).not.toContain("hides rows of public.outbox ");
  await pool.query("DROP POLICY outbox_console ON outbox");
});

test.each(["operate", "relay"])(
  "a table with hidden rows is refused in mode %s, with the policy to make",
  async (mode) => {
    const relay = mode === "relay" ? ", relay: { sink: out }" : "";
    const runtime = open(
      `outboxes: { o: { table: public.outbox, mode: ${mode}${relay} } }\nsinks: { out: { kind: log } }`,
    );
    const { outboxes, problems } = await runtime.tables();
    expect(outboxes.filter(({ name }) => name === "o")).toEqual([]);
    expect(problems[0]?.message).toMatch(/Row level security keeps rows .* CREATE POLICY .* WITH CHECK \(true\);/);
  },
);
