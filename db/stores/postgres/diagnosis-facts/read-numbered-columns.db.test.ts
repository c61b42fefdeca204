import { expect, onTestFinished, test } from "vitest";
import { withReadTransaction } from "#db/stores/postgres/connection/transaction.ts";
import { outboxRef } from "#services/outboxes/outbox-ref.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { readNumberedColumns } from "./read-numbered-columns.ts";

const database = testDatabase("migrated");
const INSERT = "INSERT INTO outbox_events (payload) VALUES ('{}')";

async function tableWith(columns: string, before = "") {
  const { pool, url } = database();
  await pool.query(`DROP TABLE IF EXISTS outbox_events; DROP SEQUENCE IF EXISTS numbers; ${before};
    CREATE TABLE outbox_events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), ${columns}, aggregate_id text, event_type text, payload jsonb,
      created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz)`);
  const runtime = openOperatedRuntime(url, "outbox_events", { columns: { order: "seq" } });
  onTestFinished(() => runtime.close());
  const ref = outboxRef(await runtime.outbox("orders"));
  const read = (role?: string) =>
    withReadTransaction(pool, 3000, async (client) => {
      if (role) await client.query(`SET LOCAL ROLE ${role}`);
      return readNumberedColumns(client, ref);
    });
  return { run: (sql: string) => pool.query(sql), read };
}

test.each([
  ["an identity", "seq smallint GENERATED ALWAYS AS IDENTITY", ""],
  ["a serial column", "seq smallserial", ""],
  ["an identity that falls", "seq smallint GENERATED ALWAYS AS IDENTITY (INCREMENT -1)", ""],
  [
    "a sequence with a limit",
    "seq bigint NOT NULL DEFAULT nextval('numbers')",
    "CREATE SEQUENCE numbers MAXVALUE 1000",
  ],
  [
    "a sequence that is wider than its column",
    "seq smallint NOT NULL DEFAULT nextval('numbers')",
    "CREATE SEQUENCE numbers AS bigint",
  ],
  [
    "a sequence in a text",
    "seq text NOT NULL DEFAULT 'e' || nextval('numbers')",
    "CREATE SEQUENCE numbers MAXVALUE 1000",
  ],
])(
  "the numbers of %s: until the last insert that succeeds, and more after the statement that is printed",
  async (_, columns, before) => {
    const { run, read } = await tableWith(columns, before);
    const [fresh] = await read();
    expect(fresh).toMatchObject({ column: "seq", left: fresh?.total });
    const { total = 0, counter, widenStatement } = fresh ?? {};
    const last = columns.includes("INCREMENT -1") ? -total : total;
    await run(`SELECT setval('${counter}', ${last - Math.sign(last) * 2})`);
    expect(await read()).toMatchObject([{ left: 2 }]);
    await run(INSERT);
    expect(await read()).toMatchObject([{ left: 1 }]);
    await run(INSERT);
    expect(await read()).toMatchObject([{ left: 0 }]);
    await expect(run(INSERT)).rejects.toThrow(/out of range|reached (max|min)imum value/);
    expect(await read()).toMatchObject([{ left: 0 }]);
    await run(widenStatement ?? "");
    await run(INSERT);
    expect((await read())[0]?.left).toBeGreaterThan(1e9);
  },
);

test("a sequence that starts again from its other end, or that no default uses any more, has no end", async () => {
  const cycled = await tableWith("seq integer GENERATED ALWAYS AS IDENTITY (MAXVALUE 1000 CYCLE)");
  expect(await cycled.read()).toEqual([]);
  const unused = await tableWith("seq smallserial");
  await unused.run("ALTER TABLE outbox_events ALTER seq DROP DEFAULT");
  expect(await unused.read()).toEqual([]);
});

test("a range that begins below zero is used from there", async () => {
  const { run, read } = await tableWith(
    "seq smallint GENERATED ALWAYS AS IDENTITY (MINVALUE -32768 START WITH -32768)",
  );
  expect(await read()).toMatchObject([{ total: 65_536, left: 65_536 }]);
  await run(INSERT);
  expect(await read()).toMatchObject([{ left: 65_535 }]);
});

test("without a right to the sequence the number is unknown", async () => {
  const { run, read } = await tableWith("seq smallserial");
  await run("DROP ROLE IF EXISTS looker; CREATE ROLE looker");
  onTestFinished(async () => void (await run("DROP OWNED BY looker; DROP ROLE looker")));
  await run("GRANT SELECT ON outbox_events TO looker");
  expect(await read("looker")).toMatchObject([{ column: "seq", left: null }]);
});

test("a table that takes no number from the database has no such column", async () => {
  const { read } = await tableWith("seq bigint NOT NULL DEFAULT 1");
  expect(await read()).toEqual([]);
});
