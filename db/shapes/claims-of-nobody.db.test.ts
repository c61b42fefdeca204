import { describe, expect, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { testDatabase } from "#tests/postgres.ts";
import { FACT_LIMITS } from "../stores/conformance/fact-limits.fixture.ts";
import { openMysqlStore } from "../stores/mysql/open-mysql-store.ts";
import type { Store } from "../stores/port/store.ts";
import { openPostgresStore } from "../stores/postgres/open-postgres-store.ts";
import { readLooked } from "./looked-catalog.fixture.ts";
import { recogniseOutbox } from "./recognise.ts";

/** Row 1 was never taken; that of row 2 is over for hours. The publisher of both leaves its name out. */
const ddl = (key: string, ends: string) => `CREATE TABLE publish_outbox (
  id ${key}, event_type varchar(80) NOT NULL, payload text NOT NULL, created bigint NOT NULL, published_at bigint,
  lease_until ${ends}, lease_owner varchar(40) NOT NULL DEFAULT '', dead boolean NOT NULL DEFAULT false)`;
const rows = (
  now: string,
  ended: string,
) => `INSERT INTO publish_outbox (event_type, payload, created, lease_until) VALUES
  ('order.paid', '{}', ${now} - 9000, DEFAULT), ('order.paid', '{}', ${now} - 9000, ${ended})`;

async function expectOneClaim(store: Store): Promise<void> {
  const tables = await readLooked(store);
  const table = tables.find(({ name }) => name === "publish_outbox");
  if (!table) throw new Error("no table publish_outbox");
  const found = recogniseOutbox(table, tables);
  if ("problem" in found) throw new Error(found.problem);
  const { mapping } = found;
  expect(mapping.columns.lockedUntil?.name).toBe("lease_until");
  const ref = { name: "orders", mapping, storeSide: false, maxAttempts: null, estimatedRows: 2 };
  const outbox = store.outbox(ref);
  const { rows } = await outbox.read.list({ filter: { state: "all" }, limit: 5 });
  const shown = rows.map(({ id, state, claimExpired }) => ({ id, state, claimExpired }));
  expect(shown.toSorted((one, other) => Number(one.id) - Number(other.id))).toEqual([
    { id: "1", state: "pending", claimExpired: false },
    { id: "2", state: "pending", claimExpired: true },
  ]);
  const { facts } = await outbox.watch.facts(FACT_LIMITS);
  expect(facts.expiredClaims).toMatchObject({ claims: 1, messages: 1, claimedAtKnown: true });
  expect(facts.expiredClaims?.oldestAt).not.toMatch(/^(0|19)/);
}

describe("a row whose claim ends at a placeholder was never taken", () => {
  const database = testDatabase("empty");
  test.each([
    { ends: "int NOT NULL DEFAULT 0", ended: "EPOCH - 7200" },
    { ends: "bigint NOT NULL DEFAULT 0", ended: "(EPOCH - 7200) * 1000" },
    { ends: "timestamptz NOT NULL DEFAULT '1970-01-01'", ended: "now() - interval '2 hours'" },
    { ends: "timestamptz NOT NULL DEFAULT '0001-01-01'", ended: "now() - interval '2 hours'" },
  ])("in Postgres: $ends", async ({ ends, ended }) => {
    const now = "extract(epoch FROM now())::bigint";
    await database().pool.query(`DROP TABLE IF EXISTS publish_outbox; ${ddl("bigserial PRIMARY KEY", ends)};
      ${rows(now, ended.replace("EPOCH", now))}`);
    const store = openPostgresStore({ name: "shop", url: database().url, applicationName: "test" });
    await expectOneClaim(store).finally(() => store.close());
  });
});

describe.each(["mysql", "mariadb"] as const)("in %s as well", (flavor) => {
  const database = testMysqlDatabase(flavor, "empty");
  test.each([
    { ends: "int NOT NULL DEFAULT 0", ended: "UNIX_TIMESTAMP() - 7200" },
    { ends: "datetime NOT NULL DEFAULT '1970-01-01'", ended: "UTC_TIMESTAMP() - INTERVAL 2 HOUR" },
  ])("$ends", async ({ ends, ended }) => {
    const { query, url, own } = database();
    await query("DROP TABLE IF EXISTS publish_outbox");
    await query(ddl("bigint AUTO_INCREMENT PRIMARY KEY", ends));
    await query(rows("UNIX_TIMESTAMP()", ended));
    const store = openMysqlStore({ name: "shop", url, applicationName: "test", own });
    await expectOneClaim(store).finally(() => store.close());
  });
});
