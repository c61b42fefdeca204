import { expect, onTestFinished, test } from "vitest";
import { migrateConsoleSide } from "#db/records/migrate.ts";
import { testDatabase } from "#tests/postgres.ts";
import { migrateStoreSide } from "../own-schema/migrate.ts";
import { checkAppendOnly } from "./check-append-only.ts";

/** Migrated here, because the template of the tests allows TRUNCATE. */
const database = testDatabase("empty");
const AUDITS = ["outbox_console.audit", "outbox_console_app.audit"];
const levels = async () => (await checkAppendOnly(database().pool, "store shop")).map(({ level }) => level);

test("the audits refuse every change of what is written, and the check says so", async () => {
  const { pool, url } = database();
  expect(await checkAppendOnly(pool, "store shop")).toEqual([]);
  await migrateStoreSide(url);
  await migrateConsoleSide(url);
  for (const table of AUDITS) {
    await pool.query(
      `INSERT INTO ${table} (actor, role, action, outcome) VALUES ('ada', 'admin', 'message.retry', 'done')`,
    );
    for (const sql of [`UPDATE ${table} SET actor = 'ben'`, `DELETE FROM ${table}`, `TRUNCATE ${table}`])
      await expect(pool.query(sql), sql).rejects.toThrow(/append-only/);
    expect((await pool.query(`SELECT actor FROM ${table}`)).rows).toEqual([{ actor: "ada" }]);
  }
  // The tests' user owns them.
  expect(await levels()).toEqual(["later", "later"]);

  const user = `reader_${process.pid}`;
  await pool.query(`CREATE ROLE ${user}; GRANT USAGE ON SCHEMA outbox_console, outbox_console_app TO ${user}`);
  onTestFinished(async () => void (await pool.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`)));
  await pool.query(`GRANT ALL ON ${AUDITS.join(", ")} TO ${user}`);
  const client = await pool.connect();
  try {
    await client.query(`SET ROLE ${user}`);
    for (const table of AUDITS) await expect(client.query(`DELETE FROM ${table}`)).rejects.toThrow(/append-only/);
    const found = await checkAppendOnly(client as never, "store shop");
    expect(found).toEqual(
      AUDITS.map((table) => ({ level: "ok", text: `store shop: ${table} is append-only for ${user}` })),
    );
  } finally {
    await client.query("RESET ROLE");
    client.release();
  }

  await pool.query("ALTER TABLE outbox_console.audit DISABLE TRIGGER audit_append_only");
  expect(await checkAppendOnly(pool, "store shop")).toMatchObject([
    { level: "bad", fix: expect.stringContaining("ENABLE ALWAYS TRIGGER audit_append_only") },
    { level: "later" },
  ]);
});
