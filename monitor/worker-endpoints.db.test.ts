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

test("without WORKER_PORT nothing listens, and an invalid one is refused in a sentence", async () => {
  const bare = await startWorkerEndpoints({ runtime: open(), env: {} });
  expect(bare.port).toBeNull();
  await expect(startWorkerEndpoints({ runtime: open(), env: { WORKER_PORT: "http" } })).rejects.toThrow("WORKER_PORT");
});
