import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { checkGrants } from "./check-grants.ts";

const database = testDatabase("migrated");
const OWN = "outbox_console";

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
  const entry = `INSERT INTO ${OWN}.audit (actor, role, action, outcome) VALUES ('ada', 'admin', 'message.retry', 'done')`;
  await as(user, () => client.query(entry));
  expect(await as(user, () => checkGrants(client as never, ref, "relay"))).toEqual([]);
});
