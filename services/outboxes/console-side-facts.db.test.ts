import { beforeAll, expect, onTestFinished, test } from "vitest";
import { recordsOver } from "#db/records/open-records.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { checkHealth } from "../health/check-health.ts";

const database = testDatabase("migrated");

/** Waits until health says it of the outbox, in the console whose records are at this address. */
async function says(sentence: RegExp, databaseUrl = database().url): Promise<void> {
  const runtime = openTestRuntime(database().url, { console: { databaseUrl } });
  onTestFinished(() => runtime.close());
  const said = async () => (await checkHealth({ runtime })).output ?? "";
  await waitFor(async () => sentence.test(await said()), { message: `health says ${sentence}` });
}

beforeAll(async () => {
  const { pool } = database();
  await pool.query(OUTBOX_EVENTS);
  await pool.query(
    "INSERT INTO outbox_console_app.monitor_lease (id, owner, until, heartbeat_at) VALUES (1, 'a', now() - interval '50 s', now() - interval '1 minute')",
  );
  await pool.query(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`);
});

const refuseLease = () =>
  database().pool.query(
    "CREATE TRIGGER full_disk BEFORE UPDATE ON outbox_console_app.monitor_lease FOR EACH ROW EXECUTE FUNCTION full_disk()",
  );

test("a monitor that may not write its lease runs: the reason is the console's database", async () => {
  const { pool } = database();
  await says(/no monitor runs/);
  await refuseLease();
  await says(/: At risk: charts, findings and alerts are not updated \(The database of the console has no space left/);
  await pool.query("DROP TRIGGER full_disk ON outbox_console_app.monitor_lease");
  const { rows } = await pool.query("SELECT owner, until < now() AS ended FROM outbox_console_app.monitor_lease");
  expect(rows, "the try is rolled back").toEqual([{ owner: "a", ended: true }]);
});

test("a monitor has some seconds to take up its lease again once the console's database lets it", async () => {
  const { pool, url } = database();
  await refuseLease();
  const runtime = openTestRuntime(url, { console: { databaseUrl: url } });
  onTestFinished(() => runtime.close());
  const said = async () => (await checkHealth({ runtime })).output ?? "";
  await waitFor(async () => /are not updated/.test(await said()), { message: "it cannot write" });
  await pool.query("DROP TRIGGER full_disk ON outbox_console_app.monitor_lease");
  const next = await waitFor(
    async () => [await said()].find((text) => !/charts, findings and alerts/.test(text)) ?? null,
    {
      message: "it can write again",
    },
  );
  expect(next).not.toMatch(/no monitor runs/);
  await waitFor(async () => /no monitor runs/.test(await said()), {
    message: "it did not take it up",
    timeoutMs: 30_000,
  });
});

test("tables of the console that were there and are gone are said; those that never were are not", async () => {
  const { pool, url } = database();
  const runtime = openTestRuntime(url, { console: { databaseUrl: url } });
  onTestFinished(() => runtime.close());
  const said = async (one = runtime) => (await checkHealth({ runtime: one })).output ?? "";
  await waitFor(async () => /no monitor runs/.test(await said()), { message: "the lease is read" });
  onTestFinished(async () => {
    await pool.query("ALTER SCHEMA outbox_console_gone RENAME TO outbox_console_app");
  });
  await pool.query("ALTER SCHEMA outbox_console_app RENAME TO outbox_console_gone");
  await waitFor(async () => /charts, findings and alerts are not updated/.test(await said()), {
    message: "health says that the tables are gone",
  });
  const later = openTestRuntime(url, { console: { databaseUrl: url } });
  onTestFinished(() => later.close());
  expect(await said(later)).not.toMatch(/are not updated/);
});

test("a console's database that may not be read is said, too", async () => {
  const { pool, url } = database();
  const user = `reader_${process.pid}`;
  await pool.query(`CREATE ROLE ${user} LOGIN PASSWORD 'reads'`);
  onTestFinished(async () => void (await pool.query(`DROP ROLE ${user}`)));
  const theirs = Object.assign(new URL(url), { username: user, password: "reads" }).toString();
  await says(/charts, findings and alerts are not updated .*permission denied for schema outbox_console_app/, theirs);
});

test("a monitor that renews its lease and cannot write its findings is said, and no longer once it can", async () => {
  const { pool, url } = database();
  await pool.query(
    "UPDATE outbox_console_app.monitor_lease SET heartbeat_at = now() + interval '1 hour', until = now() + interval '1 hour'",
  );
  const runtime = openTestRuntime(url, { console: { databaseUrl: url } });
  onTestFinished(() => runtime.close());
  const said = async () => (await checkHealth({ runtime })).output ?? "";
  const isSaid = (words: RegExp) => waitFor(async () => words.test(await said()), { message: `health says ${words}` });
  expect(await said()).not.toMatch(/are not updated/);
  await pool.query("ALTER TABLE outbox_console_app.finding RENAME TO finding_gone");
  await isSaid(/charts, findings and alerts are not updated .*own table outbox_console_app\.finding/);
  await pool.query("ALTER TABLE outbox_console_app.finding_gone RENAME TO finding");
  await isSaid(/^(?!.*are not updated)/);
});

test("a full disk that keeps new rows out is said although the lease is still renewed in its place", async () => {
  const { pool, url } = database();
  await pool.query(
    "UPDATE outbox_console_app.monitor_lease SET heartbeat_at = now() + interval '1 hour', until = now() + interval '1 hour'",
  );
  await pool.query("INSERT INTO outbox_console_app.sample (outbox, step_seconds, at) VALUES ('orders', 10, now())");
  await pool.query(
    "CREATE TRIGGER full_disk BEFORE UPDATE ON outbox_console_app.sample FOR EACH ROW EXECUTE FUNCTION full_disk()",
  );
  const before = (await pool.query("SELECT ctid::text, * FROM outbox_console_app.sample")).rows;
  const runtime = openTestRuntime(url, { console: { databaseUrl: url } });
  onTestFinished(() => runtime.close());
  const said = async () => (await checkHealth({ runtime })).output ?? "";
  const isSaid = (words: RegExp) => waitFor(async () => words.test(await said()), { message: `health says ${words}` });
  await isSaid(/charts, findings and alerts are not updated \(The database of the console has no space left/);
  await pool.query("DROP TRIGGER full_disk ON outbox_console_app.sample");
  await isSaid(/^(?!.*are not updated)/);
  expect((await pool.query("SELECT ctid::text, * FROM outbox_console_app.sample")).rows).toEqual(before);
});

test("a row that a monitor is just removing does not keep the try waiting", async () => {
  const { pool } = database();
  await pool.query("INSERT INTO outbox_console_app.sample (outbox, step_seconds, at) VALUES ('orders', 60, now())");
  const monitor = await pool.connect();
  onTestFinished(() => monitor.release());
  await monitor.query("BEGIN; DELETE FROM outbox_console_app.sample");
  await expect(recordsOver(pool).tryMonitorRows()).resolves.toBeUndefined();
  await monitor.query("ROLLBACK");
});
