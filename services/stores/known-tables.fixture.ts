import { afterEach, beforeEach, expect } from "vitest";
import type { z } from "zod";
import type { OutboxSummary } from "#contracts/outbox/outboxes.ts";
import { configSchema } from "#services/config/config-schema.ts";
import { testDatabase } from "#tests/postgres.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import type { TestDatabase } from "#tests/test-database.ts";
import { checkHealth } from "../health/check-health.ts";
import { renderMetrics } from "../health/render-metrics.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import { openRuntime, type Runtime } from "../runtime.ts";

export type Extra = Partial<z.input<typeof configSchema>>;

/** Without a console database only memory remembers. */
export const MEMORY_ALONE: Extra = { console: {} };
/** A problem makes the catalog be read every 3 s, as it is after a minute otherwise. */
export const READ_OFTEN: Extra = { inboxes: { ghost: { store: "shop", table: "ghost" } } };

/** A console over two stores, whose processes come and go; stores and memory are empty before each test. */
export interface RememberedStores {
  shop: () => TestDatabase;
  billing: () => TestDatabase;
  /** The console's own database, which remembers. */
  side: () => TestDatabase;
  /** One process: `start()` twice is a restart. */
  start(extra?: Extra): Runtime;
  stop(runtime: Runtime): Promise<void>;
  /** Stops the process once it has read its tables. */
  stopAfter(runtime: Runtime): Promise<void>;
  /** The address of a database behind a proxy. */
  through(url: string): Promise<{ url: string; proxy: TcpProxy }>;
}

/** Three databases for all tests of a file. */
export function rememberedStores(): RememberedStores {
  const shop = testDatabase("empty");
  const billing = testDatabase("empty");
  const side = testDatabase("migrated");
  const runtimes: Runtime[] = [];
  const proxies: TcpProxy[] = [];

  beforeEach(async () => {
    for (const database of [shop(), billing()])
      await database.pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    await side().pool.query("TRUNCATE outbox_console_app.known_table, outbox_console_app.audit");
  });

  afterEach(async () => {
    await Promise.all(runtimes.splice(0).map((runtime) => runtime.close()));
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  });

  const stop = async (runtime: Runtime) => {
    runtimes.splice(runtimes.indexOf(runtime), 1);
    await runtime.close();
  };
  return {
    shop,
    billing,
    side,
    start: (extra = {}) => {
      const config = configSchema.parse({
        console: { databaseUrl: side().url },
        stores: { shop: { kind: "postgres", url: shop().url }, billing: { kind: "postgres", url: billing().url } },
        ...extra,
      });
      const runtime = openRuntime({ config, applicationName: "outbox-console test", env: {} });
      runtimes.push(runtime);
      return runtime;
    },
    stop,
    stopAfter: async (runtime) => {
      await runtime.tables();
      await stop(runtime);
    },
    through: async (url) => {
      const proxy = await startTcpProxy({ port: Number(new URL(url).port) });
      proxies.push(proxy);
      return { url: Object.assign(new URL(url), { port: String(proxy.port) }).toString(), proxy };
    },
  };
}

export async function namesOf(runtime: Runtime): Promise<string[]> {
  return (await runtime.tables()).outboxes.map((outbox) => outbox.name).sort();
}

export async function summaryOf(runtime: Runtime, name: string): Promise<OutboxSummary | undefined> {
  return (await listOutboxes({ runtime })).outboxes.find((outbox) => outbox.name === name);
}

/** Health, metrics, list, snapshot and API agree that it is not there. */
export async function expectGone(runtime: Runtime, name: string, reason: RegExp): Promise<void> {
  const health = await checkHealth({ runtime });
  expect(health.status).toBe("fail");
  expect(health.checks?.[`${name}:database`]).toMatchObject([
    { status: "fail", output: expect.stringMatching(reason) },
  ]);
  expect((await checkHealth({ runtime, outbox: name })).status).toBe("fail");
  expect((await renderMetrics({ runtime })).text).toContain(`outbox_up{outbox="${name}"} 0`);
  expect(await summaryOf(runtime, name)).toMatchObject({ figures: null, problem: expect.stringMatching(reason) });
  await expect(takeSnapshot({ runtime, outbox: name })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(reason),
  });
}
