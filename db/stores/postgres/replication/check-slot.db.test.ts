import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { slotIsAtWork } from "./check-slot.ts";
import { checkStream } from "./check-stream.ts";
import { createStream } from "./create-stream.ts";
import { withScript } from "./with-script.ts";

describe("what a relay needs to read the log", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let slot: string;
  const codes = async (table = "box", url = database.url) => {
    const names = { slot, publication: slot, table: { schema: "public", name: table } };
    return (await checkStream({ url, names })).problems.map(({ code }) => code);
  };
  const create = (table = "box") =>
    createStream({ url: database.url, names: { slot, publication: slot, table: { schema: "public", name: table } } });

  const isAtWork = () => withScript(database.url, (session) => slotIsAtWork(session, slot));

  beforeEach(async () => {
    database = await createTestDatabase();
    slot = `s_${database.name}`;
    await database.pool.query("CREATE TABLE box (id int PRIMARY KEY); CREATE TABLE other (id int)");
  });
  afterEach(async () => {
    await database.pool.query(
      "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1",
      [slot],
    );
    await database.drop();
  });

  const hasRowFilters = async () => {
    const { rows } = await database.pool.query("SELECT current_setting('server_version_num')::int >= 150000 AS has");
    return rows[0].has;
  };

  test("creates what is missing when it is asked to, and nothing twice", async () => {
    expect(await codes()).toEqual(["publication_missing", "slot_missing"]);
    expect(await create()).toHaveLength(2);
    expect(await codes()).toEqual([]);
    expect(await create()).toEqual([]);
  });

  test("an open transaction that the slot waits for is named, and the slot is created once it is over", async () => {
    const report = new pg.Client({ connectionString: database.url, application_name: "billing-report" });
    await report.connect();
    try {
      await report.query("BEGIN; INSERT INTO other VALUES (1)");
      const names = { slot, publication: slot, table: { schema: "public", name: "box" } };
      await expect(createStream({ url: database.url, names, patienceMs: 1000 })).rejects.toThrow(
        /every transaction that has written is over.* \(pid \d+\), open for \d+ s/,
      );
      expect(await codes()).toEqual(["slot_missing"]);
    } finally {
      await report.end();
    }
    expect(await create()).toHaveLength(1);
  });

  test("a publication that does not cover the table, or leaves inserts out, is told and not changed", async () => {
    await database.pool.query(`CREATE PUBLICATION ${slot} FOR TABLE other`);
    await create();
    expect(await codes()).toEqual(["publication"]);
    // Row filters came with Postgres 15.
    if (await hasRowFilters()) {
      await database.pool.query(`ALTER PUBLICATION ${slot} SET TABLE box WHERE (id > 5)`);
      expect(await codes()).toEqual(["publication"]);
    }
    await database.pool.query(`ALTER PUBLICATION ${slot} SET TABLE box`);
    await database.pool.query(`ALTER PUBLICATION ${slot} SET (publish = 'update')`);
    expect(await codes()).toEqual(["publication"]);
  });

  test("columns that the publication leaves out are told, with what repairs it and keeps its other tables", async () => {
    if (!(await hasRowFilters())) return;
    await database.pool.query("ALTER TABLE box ADD aggregate_id text, ADD note text");
    await database.pool.query(`CREATE PUBLICATION ${slot} FOR TABLE other, box (id, note)`);
    await create();
    const table = { schema: "public", name: "box" };
    const names = { slot, publication: slot, table, columns: ["id", "aggregate_id"] };
    const check = async () => (await checkStream({ url: database.url, names })).problems;
    const [problem] = await check();
    expect(problem).toMatchObject({ code: "columns", message: expect.stringContaining("columns aggregate_id of") });
    for (const sql of problem?.sql?.split("\n") ?? []) await database.pool.query(sql);
    expect(await check()).toEqual([]);
    const { rows } = await database.pool.query("SELECT tablename FROM pg_publication_tables WHERE pubname = $1", [
      slot,
    ]);
    expect(rows.map((row) => row.tablename).sort()).toEqual(["box", "other"]);
  });

  test("a partitioned table needs its publication to tell of the root", async () => {
    await database.pool.query(
      "CREATE TABLE parts (id int PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE part PARTITION OF parts DEFAULT",
    );
    await database.pool.query(`CREATE PUBLICATION ${slot} FOR TABLE parts`);
    expect(await codes("parts")).toEqual(["publication", "slot_missing"]);
    await database.pool.query(`DROP PUBLICATION ${slot}`);
    await create("parts");
    expect(await codes("parts")).toEqual([]);
  });

  test("a slot of another plugin, and a user who may not read the log", async () => {
    await database.pool.query("SELECT pg_create_logical_replication_slot($1, 'test_decoding')", [slot]);
    await database.pool.query(`CREATE PUBLICATION ${slot} FOR TABLE box`);
    expect(await codes()).toEqual(["slot_other"]);
    const role = `r_${database.name}`;
    await database.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    await database.pool.query(`GRANT SELECT ON box TO ${role}`);
    const url = new URL(database.url);
    url.username = role;
    url.password = "x";
    expect(await codes("box", url.toString())).toEqual(["permission", "slot_other"]);
    await database.pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  test("says that a long transaction is being decoded", async () => {
    await create();
    await database.pool.query("INSERT INTO other SELECT generate_series(1, 300000)");
    const decode = `SELECT count(*) FROM pg_logical_slot_peek_binary_changes('${slot}', NULL, NULL, 'proto_version', '1', 'publication_names', '${slot}')`;
    const isSeen = async () => {
      let over = false;
      const decoded = database.pool.query(decode).finally(() => {
        over = true;
      });
      let seen = false;
      while (!over && !seen) seen = await isAtWork();
      await decoded;
      return seen;
    };
    // On a busy machine it may be over before the first look.
    await waitFor(isSeen, { message: "it is seen at work" });
    expect(await isAtWork()).toBe(false);
  });

  test("says whose session reads a slot", async () => {
    await create();
    const reader = new pg.Client({ connectionString: database.url, replication: "database" } as pg.ClientConfig);
    await reader.connect();
    reader.on("error", () => undefined);
    const over = reader
      .query(`START_REPLICATION SLOT "${slot}" LOGICAL 0/0 (proto_version '1', publication_names '"${slot}"')`)
      .catch(() => undefined);
    await expect.poll(() => codes()).toEqual(["slot_in_use"]);
    await expect.poll(() => isAtWork()).toBe(false);
    await reader.end();
    await over;
    await expect.poll(() => codes()).toEqual([]);
  });
});
