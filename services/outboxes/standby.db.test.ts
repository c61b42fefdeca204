import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { examineOutbox } from "./take-snapshot.ts";

test("a hot standby that has replayed nothing for a while shows how old its rows are, and no clock that differs", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "outbox-console-standby-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const settings = { fsync: "off", max_connections: "40" };
  const primary = await startEmbeddedPostgres({ dataDir, settings });
  const client = new pg.Client({ connectionString: primary.url });
  client.on("error", () => undefined);
  await client.connect();
  await client.query(OUTBOX_EVENTS);
  await client.query("CHECKPOINT");
  await client.query("INSERT INTO outbox_events (event_type, payload) VALUES ('a', '{}')");
  // Without a shutdown checkpoint the last commit is replayed at the next start.
  process.kill(primary.pid, "SIGQUIT");
  await primary.exited;
  await writeFile(join(dataDir, "data", "standby.signal"), "");
  const standby = await startEmbeddedPostgres({ dataDir, settings });
  onTestFinished(() => standby.stop());
  const runtime = openTestRuntime(standby.url);
  onTestFinished(() => runtime.close());
  const [outbox] = (await runtime.tables()).outboxes;
  const { snapshot, clockOffsetMs } = await examineOutbox({ runtime, outbox: outbox?.name ?? "" });
  expect(Date.parse(snapshot.asOf)).toBeLessThan(Date.now() - 100);
  expect(clockOffsetMs).toBe(0);
});
