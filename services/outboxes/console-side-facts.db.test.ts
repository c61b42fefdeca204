import { expect, onTestFinished, test } from "vitest";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { checkHealth } from "../health/check-health.ts";

const database = testDatabase("migrated");

/** What health says of the outbox to a console that has just started. */
async function said(): Promise<string> {
  const { url } = database();
  const runtime = openTestRuntime(url, { console: { databaseUrl: url } });
  const { checks } = await checkHealth({ runtime }).finally(() => runtime.close());
  return checks?.["outbox_events:verdict"]?.[0]?.output ?? "";
}

test("a monitor that may not write its lease runs: the reason is the console's database", async () => {
  const { pool } = database();
  await pool.query(OUTBOX_EVENTS);
  await pool.query(
    "INSERT INTO outbox_console_app.monitor_lease (id, owner, until, heartbeat_at) VALUES (1, 'a', now() - interval '50 s', now() - interval '1 minute')",
  );
  expect(await said()).toMatch(/no monitor runs/);
  await pool.query(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER full_disk BEFORE UPDATE ON outbox_console_app.monitor_lease FOR EACH ROW EXECUTE FUNCTION full_disk()`);
  expect(await said()).toMatch(
    /^At risk: charts, findings and alerts stand still \(The database of the console side has no space left/,
  );
  await pool.query("DROP TRIGGER full_disk ON outbox_console_app.monitor_lease");
  expect(await said()).toMatch(/no monitor runs/);
});

test("a console's database that may not be read is said, too", async () => {
  const { pool, url } = database();
  const user = `reader_${process.pid}`;
  await pool.query(
    `CREATE ROLE ${user} LOGIN PASSWORD 'reads'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${user}`,
  );
  onTestFinished(async () => void (await pool.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`)));
  const theirs = Object.assign(new URL(url), { username: user, password: "reads" }).toString();
  const runtime = openTestRuntime(url, { console: { databaseUrl: theirs } });
  const { status, output } = await checkHealth({ runtime }).finally(() => runtime.close());
  expect([status, output]).toEqual([
    "warn",
    expect.stringMatching(/charts, findings and alerts stand still .*permission denied for schema outbox_console_app/),
  ]);
});
