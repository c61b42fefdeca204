import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { checkDatabases } from "./check-databases.ts";
import { checkGrants } from "./check-grants.ts";

const database = testDatabase("migrated");
const OWN = "outbox_console";

test("the grants of the console's own database are printed, and after an upgrade those of the tables it added", async () => {
  const { pool, url } = database();
  const user = `records_${process.pid}`;
  await pool.query(`CREATE ROLE ${user} LOGIN PASSWORD 'records'`);
  onTestFinished(async () => void (await pool.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`)));
  const ownUrl = Object.assign(new URL(url), { username: user, password: "records" }).toString();
  const use = { name: "the console", url: ownUrl, writes: true, connections: 1 };
  const bad = async (more: { records?: true } = { records: true }) =>
    (await checkDatabases([{ ...use, ...more }])).filter(({ text }) => text.includes("may not use"));
  const [none] = await bad();
  expect(none?.text).toBe(`the console: ${user} may not use the schema outbox_console_app`);
  await pool.query(none?.fix ?? "");
  expect(await bad()).toEqual([]);
  await pool.query(`REVOKE ALL ON outbox_console_app.incident FROM ${user}`);
  const [added] = await bad();
  expect(added?.text).toContain(`${user} may not use 1 table of outbox_console_app as it must: incident (SELECT,`);
  expect(await bad({})).toEqual([]);
  await pool.query(added?.fix ?? "");
  expect(await bad()).toEqual([]);
});

test("the printed grants of our schema let a role write all of it, and change no entry of the audit", async () => {
  const { pool } = database();
  const user = `writer_${process.pid}`;
  await pool.query(`CREATE TABLE events (id int PRIMARY KEY); CREATE ROLE ${user};
    GRANT USAGE ON SCHEMA public TO ${user}; GRANT ALL ON events TO ${user}`);
  onTestFinished(async () => void (await pool.query(`DROP TABLE events; DROP OWNED BY ${user}; DROP ROLE ${user}`)));
  const ref = {
    name: "orders",
    mapping: { table: { schema: "public", name: "events" } },
    storeSide: true,
  } as OutboxRef;
  const client = await pool.connect();
  onTestFinished(() => client.release());
  const as = async <T>(role: string, ask: () => Promise<T>) => {
    await client.query(`SET ROLE ${role}`);
    return ask().finally(() => client.query("RESET ROLE"));
  };
  const [found, ...rest] = await as(user, () => checkGrants(client as never, ref, "relay"));
  expect({ text: found?.text, rest }).toEqual({
    text: `outbox orders: ${user} may not use the schema outbox_console`,
    rest: [],
  });
  await pool.query(found?.fix ?? "");
  const lacking = await pool.query<{ lacks: string }>(
    `SELECT tablename || ' ' || privilege AS lacks
     FROM pg_tables, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
     WHERE schemaname = $1 AND NOT has_table_privilege($2, format('%I.%I', schemaname, tablename), privilege) ORDER BY 1`,
    [OWN, user],
  );
  expect(lacking.rows.map(({ lacks }) => lacks)).toEqual(["audit DELETE", "audit UPDATE"]);
  await pool.query(
    `REVOKE ALL ON ${OWN}.suspect FROM ${user}; REVOKE INSERT, UPDATE ON ${OWN}.lease, ${OWN}.claim FROM ${user}`,
  );
  const [partly, ...others] = await as(user, () => checkGrants(client as never, ref, "relay"));
  expect({ ...partly, others }).toEqual({
    level: "bad",
    text: `outbox orders: ${user} may not use 3 tables of outbox_console as it must: claim (INSERT, UPDATE), lease (INSERT, UPDATE), suspect (SELECT, INSERT, UPDATE, DELETE)`,
    fix: [
      `GRANT INSERT, UPDATE ON outbox_console."claim" TO "${user}";`,
      `GRANT INSERT, UPDATE ON outbox_console."lease" TO "${user}";`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON outbox_console."suspect" TO "${user}";`,
    ].join("\n"),
    others: [],
  });
  const older = { ...ref, storeSide: false };
  const both = await as(user, () => checkGrants(client as never, older, "relay"));
  expect(both.map(({ text }) => text)).toEqual([
    partly?.text,
    "outbox orders: the schema outbox_console is missing or has another version",
  ]);
  await pool.query(`REVOKE ALL ON ${OWN}.migration FROM ${user}`);
  expect(await as(user, () => checkGrants(client as never, older, "relay"))).toHaveLength(1);
  await pool.query(`GRANT SELECT ON ${OWN}.migration TO ${user}`);
  expect(await as(user, () => checkGrants(client as never, ref, "observe"))).toEqual([]);
  await pool.query(partly?.fix ?? "");
  const entry = `INSERT INTO ${OWN}.audit (actor, role, action, outcome) VALUES ('ada', 'admin', 'message.retry', 'done')`;
  await as(user, () => client.query(entry));
  expect(await as(user, () => checkGrants(client as never, ref, "relay"))).toEqual([]);
});
