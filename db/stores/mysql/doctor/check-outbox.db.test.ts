import { getTableName, is } from "drizzle-orm";
import { MySqlTable } from "drizzle-orm/mysql-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { mysqlServerUrl, onServer, testMysqlDatabase } from "#tests/mysql.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { AccessMode } from "../../port/store.ts";
import { openMysqlStore } from "../open-mysql-store.ts";
import { ownTables } from "../own-schema/schema.ts";
import { checkDatabases } from "./check-databases.ts";

const column = (name: string, type: string) => ({ name, type, nullable: false, from: "config" as const });

describe.each(["mysql", "mariadb"] as const)("the doctor on %s", (flavor) => {
  const database = testMysqlDatabase(flavor);

  const mappingOf = (name: string): OutboxMapping => ({
    table: { schema: database().name, name },
    primaryKey: [column("id", "bigint")],
    columns: { id: column("id", "bigint"), payload: column("payload", "text") },
    lifecycle: { kind: "delete" },
    deadAttempts: null,
    archiveTable: null,
    shape: "configured",
  });
  /** A user with these grants, each `rights ON database.table`. */
  const urlOf = async (grants: string[], limit = ""): Promise<string> => {
    const user = `u_${Math.random().toString(16).slice(2, 10)}`;
    const account = `'${user}'@'localhost'`;
    const server = await mysqlServerUrl(flavor);
    await onServer(server, async (admin) => {
      await admin.query(`CREATE USER ${account} IDENTIFIED BY 'pw' ${limit}`);
      for (const grant of grants) await admin.query(`GRANT ${grant} TO ${account}`);
    });
    onTestFinished(() => onServer(server, async (admin) => void (await admin.query(`DROP USER ${account}`))));
    return Object.assign(new URL(database().url), { username: user, password: "pw" }).toString();
  };
  const checkAll = async (url: string, table: string, mode: AccessMode, storeSide = true) => {
    const { own } = database();
    const store = openMysqlStore({ name: "shop", url, own, applicationName: "outbox-console test" });
    onTestFinished(() => store.close());
    const ref = { name: "orders", mapping: mappingOf(table), storeSide, maxAttempts: null, estimatedRows: 0 };
    return store.outbox(ref).doctor({ mode });
  };
  const isOfAudit = ({ text }: { text: string }) => text.includes("the audit");
  const check = async (...of: Parameters<typeof checkAll>) => (await checkAll(...of)).filter((one) => !isOfAudit(one));
  const table = async (name: string, engine = "InnoDB") => {
    await database().query(
      `CREATE TABLE IF NOT EXISTS ${name} (id bigint PRIMARY KEY, payload text) ENGINE = ${engine}`,
    );
    return `${database().name}.${name}`;
  };

  test("finds nothing wrong with a user who may do everything", async () => {
    await table("box");
    expect(await check(database().url, "box", "relay")).toEqual([]);
  });

  test("names the grants that each mode lacks", async () => {
    const box = await table("box");
    const [read, write] = [`SELECT ON ${box}`, `SELECT, INSERT, UPDATE, DELETE ON ${box}`];
    const ours = `SELECT, INSERT, UPDATE, DELETE ON ${database().own.database}.*`;
    const other = await table("other");
    const blind = await check(await urlOf([`SELECT ON ${other}`]), "box", "observe");
    expect(blind).toMatchObject([{ level: "bad", text: expect.stringContaining("may not read it") }]);
    expect(blind[0]?.fix).toMatch(/^GRANT SELECT ON `.*`\.`box` TO 'u_.*'@'localhost';$/);
    expect(await check(await urlOf([read]), "box", "observe")).toEqual([]);
    const reader = await check(await urlOf([read, ours]), "box", "operate");
    expect(reader).toMatchObject([{ text: expect.stringContaining("may not change its rows") }]);
    expect(reader[0]?.fix).toMatch(/^GRANT INSERT, UPDATE, DELETE ON/);
    const without = await check(await urlOf([write]), "box", "operate");
    expect(without).toMatchObject([
      { text: expect.stringContaining(`may not use the database ${database().own.database}`) },
    ]);
    expect(without[0]?.fix).toMatch(/^GRANT SELECT, .*CREATE.* ON `.*`\.\* TO/);
    expect(await check(await urlOf([write, ours]), "box", "operate")).toEqual([]);
    expect(await check(await urlOf([write, ours]), "box", "relay")).toMatchObject([
      { level: "later", fix: expect.stringMatching(/^GRANT PROCESS ON \*\.\* TO 'u_.*'@'localhost';$/) },
    ]);
    expect(await check(await urlOf([write, ours, "PROCESS ON *.*"]), "box", "relay")).toEqual([]);
    expect(await check(database().url, "box", "relay", false)).toMatchObject([
      { text: expect.stringMatching(/the database \S+ is missing or has another version/), fix: "npm run migrate" },
    ]);
  });

  test("names the tables of ours that a user lacks rights on, as after an upgrade that adds one", async () => {
    const box = await table("box");
    const own = database().own.database;
    const tables = Object.values(ownTables(database().own))
      .flatMap((one) => (is(one, MySqlTable) ? [getTableName(one)] : []))
      .filter((name) => name !== "suspect" && name !== "lease");
    const url = await urlOf([
      ...[`SELECT, INSERT, UPDATE, DELETE ON ${box}`, `SELECT, DELETE ON ${own}.lease`],
      ...tables.map((name) => `SELECT, INSERT, UPDATE, DELETE ON ${own}.${name}`),
    ]);
    const [found, ...others] = await check(url, "box", "operate");
    expect(found?.text).toMatch(
      /^outbox orders: u_\S+ may not use 2 tables of the database \S+ as it must: lease \(INSERT, UPDATE\), suspect \(SELECT, INSERT, UPDATE, DELETE\)$/,
    );
    expect(others).toEqual([]);
    await database().query(found?.fix ?? "");
    expect(await check(url, "box", "operate")).toEqual([]);
  });

  test("says whether the user may change the audit's entries", async () => {
    const box = await table("box");
    const own = database().own.database;
    const rights = [`SELECT, INSERT, UPDATE, DELETE ON ${box}`];
    const ofAudit = async (...grants: string[]) =>
      (await checkAll(await urlOf([...rights, ...grants]), "box", "operate")).filter(isOfAudit);
    expect(await ofAudit(`SELECT, INSERT, UPDATE, DELETE ON ${own}.*`)).toMatchObject([
      { level: "later", text: expect.stringContaining("may UPDATE and DELETE") },
    ]);
    const kept = await ofAudit(`SELECT, INSERT ON ${own}.*`);
    expect(kept).toMatchObject([{ level: "ok", text: expect.stringContaining("append-only for this user") }]);
  });

  test("refuses a table without transactions", async () => {
    await table("plain", "MyISAM");
    expect(await check(database().url, "plain", "observe")).toEqual([]);
    expect(await check(database().url, "plain", "relay")).toMatchObject([
      {
        level: "bad",
        text: expect.stringContaining("engine MyISAM"),
        fix: expect.stringContaining("ENGINE = InnoDB;"),
      },
    ]);
  });

  test("counts the connections that one console and one worker need", async () => {
    const use = (url: string, connections: number) =>
      checkDatabases([{ name: "store shop", url, writes: true, connections }]);
    expect(await use(database().url, 10)).toMatchObject([{ level: "ok" }, { level: "ok" }]);
    const [, server] = await use(database().url, 100_000);
    expect(server).toMatchObject({ level: "bad", text: expect.stringContaining("max_connections") });
    const few = await urlOf([`SELECT ON ${await table("box")}`], "WITH MAX_USER_CONNECTIONS 3");
    const [, limited] = await use(few, 10);
    expect(limited).toMatchObject({ level: "bad", fix: expect.stringContaining("WITH MAX_USER_CONNECTIONS 10;") });
    const [nobody] = await use(few.replace("pw@", "wrong@"), 10);
    expect(nobody).toMatchObject({ level: "bad", text: expect.stringContaining("refuses the user name or password") });
  });
});
