import { afterEach, expect, test } from "vitest";
import { parseConfig } from "#services/config/load-config.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { startWorkerEndpoints } from "./worker-endpoints.ts";

const database = testDatabase("migrated");
let runtime: Runtime | undefined;

afterEach(async () => {
  await runtime?.close();
  runtime = undefined;
});

function open(): Runtime {
  const config = parseConfig(`stores: { shop: { kind: postgres, url: "${database().url}" } }`, {}, "test");
  runtime = openRuntime({ config, applicationName: "outbox-console test", env: {} });
  return runtime;
}

test("a worker answers /livez without a database query, /metrics with figures, and nothing else", async () => {
  await database().pool.query(
    "CREATE TABLE outbox (id bigserial PRIMARY KEY, event_type text, payload jsonb, created_at timestamptz DEFAULT now(), published_at timestamptz)",
  );
  await database().pool.query("INSERT INTO outbox (event_type, payload) VALUES ('placed', '{}'), ('paid', '{}')");
  const endpoints = await startWorkerEndpoints({ runtime: open(), env: { WORKER_PORT: "0" } });
  const ask = (path: string) => fetch(`http://127.0.0.1:${endpoints.port}${path}`);
  try {
    expect(await (await ask("/livez")).json()).toEqual({ status: "pass" });
    const metrics = await (await ask("/metrics")).text();
    expect(metrics).toContain('outbox_messages{outbox="outbox",state="pending"} 2');
    expect((await ask("/other")).status).toBe(404);
  } finally {
    await endpoints.stop();
  }
});

test("to a scraper of OpenMetrics it answers one document, which has what this process sent and ends once", async () => {
  await database().pool.query("CREATE TABLE IF NOT EXISTS outbox (id bigserial PRIMARY KEY, payload jsonb)");
  const sent = async ({ openMetrics }: { openMetrics: boolean }) => `sent_total 7\n${openMetrics ? "# EOF\n" : ""}`;
  const endpoints = await startWorkerEndpoints({ runtime: open(), env: { WORKER_PORT: "0" }, sent });
  try {
    const url = `http://127.0.0.1:${endpoints.port}/metrics`;
    const accept = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
    const response = await fetch(url, { headers: { accept } });
    expect(response.headers.get("content-type")).toMatch(/^application\/openmetrics-text/);
    const text = await response.text();
    expect(text).toMatch(/\nsent_total 7\n# EOF\n$/);
    expect(text.match(/# EOF/g)).toHaveLength(1);
    expect(text).not.toContain("\n\n");
    const plain = await (await fetch(url)).text();
    expect(plain).toMatch(/sent_total 7\n$/);
    expect(plain).not.toContain("# EOF");
  } finally {
    await endpoints.stop();
  }
});

test("without WORKER_PORT nothing listens, and an invalid one is refused in a sentence", async () => {
  const bare = await startWorkerEndpoints({ runtime: open(), env: {} });
  expect(bare.port).toBeNull();
  await expect(startWorkerEndpoints({ runtime: open(), env: { WORKER_PORT: "http" } })).rejects.toThrow("WORKER_PORT");
});
