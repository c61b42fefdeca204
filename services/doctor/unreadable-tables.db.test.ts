import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { parseConfig } from "../config/load-config.ts";
import { openRuntime, type Runtime } from "../runtime.ts";
import { checkTables } from "./check-tables.ts";

const database = testDatabase("empty");
const USER = `unreadable_${process.pid}`;
let runtime: Runtime;

beforeAll(async () => {
  const { pool, url } = database();
  await pool.query(
    "CREATE TABLE outbox (id uuid PRIMARY KEY, event_type text, payload jsonb, published_at timestamptz)",
  );
  await pool.query(
    "CREATE TABLE tracker_inbox (message_id uuid PRIMARY KEY, consumer text, processed_at timestamptz NOT NULL)",
  );
  await pool.query(`CREATE ROLE ${USER} LOGIN PASSWORD 'doctor'`);
  const parsed = new URL(url);
  [parsed.username, parsed.password] = [USER, "doctor"];
  const config = parseConfig(`stores: { shop: { kind: postgres, url: "${parsed}" } }`, {}, "test");
  runtime = openRuntime({ config, applicationName: "unreadable test", env: {} });
});

afterAll(async () => {
  await runtime.close();
  await database().pool.query(`DROP OWNED BY ${USER}; DROP ROLE ${USER}`);
});

async function check() {
  const said: Record<"ok" | "bad", string[]> = { ok: [], bad: [] };
  const write = (to: string[]) => (text: string, fix?: string) => void to.push(`${text}\n${fix ?? ""}`);
  await checkTables(runtime, { ok: write(said.ok), advise: () => undefined, bad: write(said.bad) });
  return { ok: said.ok.join("\n"), bad: said.bad.join("\n") };
}

test("an inbox that may not be read is named with the grant, once, and is in order with it", async () => {
  const { ok, bad } = await check();
  const grant = `GRANT SELECT ON "public"."tracker_inbox" TO "${USER}";`;
  expect(bad).toContain(`inbox tracker_inbox: ${USER} may not read it\n`);
  expect(bad).toContain(grant);
  expect(bad).toContain(`GRANT SELECT ON "public"."outbox" TO "${USER}";`);
  expect(bad).not.toContain("npm run doctor");
  expect(ok).not.toContain("inbox tracker_inbox");
  await database().pool.query(grant);
  expect((await check()).ok).toContain("inbox tracker_inbox: public.tracker_inbox");
});
