import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { readCatalog } from "./read-catalog.ts";

const database = testDatabase("empty");
const USER = `reader_${process.pid}`;
const OTHER = `other_${process.pid}`;
const TEAM = `team_${process.pid}`;
let pool: pg.Pool;

beforeAll(async () => {
  await database().pool.query(`
    CREATE ROLE ${USER} LOGIN PASSWORD 'reader'; CREATE ROLE ${OTHER}; CREATE ROLE ${TEAM}; GRANT ${TEAM} TO ${USER};
    CREATE TABLE t (id int PRIMARY KEY, tenant text); GRANT ALL ON t TO ${USER}`);
  const url = new URL(database().url);
  [url.username, url.password] = [USER, "reader"];
  pool = new pg.Pool({ connectionString: url.toString() });
});

afterAll(async () => {
  await pool.end();
  await database().pool.query(`DROP OWNED BY ${USER}, ${OTHER}, ${TEAM}; DROP ROLE ${USER}, ${OTHER}, ${TEAM}`);
});

test.each([
  ["no row level security", "", { rowSecurity: false, rowSecurityOnWrite: false }],
  ["no policy at all", "ENABLE", { rowSecurity: true, rowSecurityOnWrite: true }],
  ["a policy for someone else", `ENABLE; TO ${OTHER} USING (true)`, { rowSecurity: true, rowSecurityOnWrite: true }],
  ["a policy with a condition", "ENABLE; USING (tenant = 'a')", { rowSecurity: true, rowSecurityOnWrite: true }],
  ["every row for everyone", "ENABLE; USING (true)", { rowSecurity: false, rowSecurityOnWrite: false }],
  [
    "every row for a role we have",
    `ENABLE; TO ${TEAM} USING (true)`,
    { rowSecurity: false, rowSecurityOnWrite: false },
  ],
  ["every row for reading alone", "ENABLE; FOR SELECT USING (true)", { rowSecurity: false, rowSecurityOnWrite: true }],
  [
    "writes that a check restricts",
    "ENABLE; USING (true) WITH CHECK (tenant = 'a')",
    { rowSecurity: false, rowSecurityOnWrite: true },
  ],
  [
    "a restrictive policy",
    "ENABLE; USING (true); AS RESTRICTIVE USING (tenant = 'a')",
    { rowSecurity: true, rowSecurityOnWrite: true },
  ],
])("row level security: %s", async (_name, setup, expected) => {
  const admin = database().pool;
  await admin.query("ALTER TABLE t DISABLE ROW LEVEL SECURITY");
  const { rows } = await admin.query("SELECT polname FROM pg_policy WHERE polrelid = 't'::regclass");
  for (const { polname } of rows) await admin.query(`DROP POLICY ${polname} ON t`);
  const [enable, ...policies] = setup.split("; ");
  if (enable) await admin.query("ALTER TABLE t ENABLE ROW LEVEL SECURITY");
  for (const [index, policy] of policies.entries()) await admin.query(`CREATE POLICY p${index} ON t ${policy}`);
  const [table] = await readCatalog(pool, undefined);
  expect({ rowSecurity: table?.rowSecurity, rowSecurityOnWrite: table?.rowSecurityOnWrite }).toEqual(expected);
  const [asOwner] = await readCatalog(admin, undefined);
  expect(asOwner).toMatchObject({ rowSecurity: false, rowSecurityOnWrite: false });
});
