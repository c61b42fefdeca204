import { readdirSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMysqlDatabase, type MysqlTestDatabase, mysqlServerUrl, onServer } from "#tests/mysql.ts";
import { openMysqlStore } from "../open-mysql-store.ts";
import { STORE_SIDE_MIGRATIONS } from "../own-schema/migrate.ts";
import { applyMigrations } from "./migrate.ts";
import type { OwnPlace } from "./own-place.ts";

describe.each(["mysql", "mariadb"] as const)("our tables on %s", (flavor) => {
  const fresh = async () => {
    const database = await createMysqlDatabase(flavor, "empty");
    onTestFinished(() => database.drop());
    return database;
  };
  const migrate = ({ url, own }: MysqlTestDatabase, place: OwnPlace = own, set = STORE_SIDE_MIGRATIONS) =>
    applyMigrations(url, place, set, { lockTimeoutMs: 1000 });
  const stateOf = async ({ url, own }: MysqlTestDatabase, place: OwnPlace = own) => {
    const store = openMysqlStore({ name: "shop", url, own: place, applicationName: "outbox-console test" });
    const { ownSchema } = await store.catalog();
    await store.close();
    return ownSchema;
  };
  const applied = async ({ query, own }: MysqlTestDatabase) =>
    query(`SELECT number, hash FROM ${own.database}.migration`);

  test("are missing, then current, and stay so however often they are migrated", async () => {
    const database = await fresh();
    expect(await stateOf(database)).toBe("missing");
    for (let round = 0; round < 2; round += 1) {
      await migrate(database);
      expect(await stateOf(database)).toBe("current");
    }
    const files = readdirSync(STORE_SIDE_MIGRATIONS.folder).filter((file) => file.endsWith(".sql"));
    expect(files).toHaveLength(STORE_SIDE_MIGRATIONS.known);
    expect(await applied(database)).toHaveLength(STORE_SIDE_MIGRATIONS.known);
  });

  test("are created once by several who migrate at once", async () => {
    const database = await fresh();
    const all = [1, 2, 3].map(() => applyMigrations(database.url, database.own, STORE_SIDE_MIGRATIONS));
    await Promise.all(all);
    expect(await applied(database)).toHaveLength(STORE_SIDE_MIGRATIONS.known);
  });

  test("are completed after a migration that was cut short", async () => {
    const database = await fresh();
    await migrate(database);
    const { database: own } = database.own;
    await database.query(`DELETE FROM ${own}.migration; DROP TABLE ${own}.pause`);
    expect(await stateOf(database)).toBe("missing");
    await migrate(database);
    expect(await stateOf(database)).toBe("current");
    expect(await database.query(`SELECT * FROM ${own}.pause`)).toEqual([]);
  });

  test("are older or newer than a program of another version, and a newer one is left alone", async () => {
    const { known } = STORE_SIDE_MIGRATIONS;
    const database = await fresh();
    await migrate(database);
    await database.query(`INSERT INTO ${database.own.database}.migration (number, hash) VALUES (1000, 'later')`);
    expect(await stateOf(database)).toBe("newer");
    await expect(migrate(database)).rejects.toThrow(
      new RegExp(`newer \\(migration ${known + 1}\\) than this program knows \\(${known}\\)`),
    );
  });

  test("may be in the database of the outboxes, under a prefix", async () => {
    const database = await fresh();
    const place = { prefix: "oc_" };
    await migrate(database, place);
    expect(await stateOf(database, place)).toBe("current");
    expect(await stateOf(database)).toBe("missing");
    const tables = await database.query("SHOW TABLES");
    for (const table of tables) expect(Object.values(table)[0]).toMatch(/^oc_/);
    const store = openMysqlStore({ name: "shop", url: database.url, own: place, applicationName: "x" });
    expect((await store.catalog()).tables).toEqual([]);
    await store.close();
  });

  test("of one database are not shared by another", async () => {
    const [one, two] = [await fresh(), await fresh()];
    await migrate(one);
    expect(await stateOf(two, one.own)).toBe("missing");
    const refused = migrate(two, one.own);
    await expect(refused).rejects.toMatchObject({ code: "conflict" });
    await expect(refused).rejects.toThrow(`records of the database ${one.name}; two stores must not share them`);
    await expect(refused).rejects.toThrow("Set ownDatabase of this store");
  });

  test("are not migrated while another migration is at work, or a table is locked, and it says who or where", async () => {
    const database = await fresh();
    await migrate(database);
    const holder = await database.connect();
    await holder.query(`LOCK TABLES ${database.own.database}.migration WRITE`);
    const first = applyMigrations(database.url, database.own, STORE_SIDE_MIGRATIONS, { lockTimeoutMs: 3000 });
    first.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const second = migrate(database);
    await expect(second).rejects.toMatchObject({ code: "locked" });
    await expect(second).rejects.toThrow(
      /lock was not free within 1 s: the connection \d+ \(user root, at work\) holds it\. .* KILL \d+;/,
    );
    await expect(first).rejects.toMatchObject({ code: "locked" });
    await expect(first).rejects.toThrow(/was locked by another connection for 3 s/);
    await holder.query("UNLOCK TABLES");
    await migrate(database);
  });

  test("are refused by a server on which the user may not create them, with the GRANT", async () => {
    const database = await fresh();
    const server = await mysqlServerUrl(flavor);
    const user = `u_${database.name.slice(-8)}`;
    const host = "localhost";
    await onServer(server, async (admin) => {
      await admin.query(`CREATE USER '${user}'@'${host}' IDENTIFIED BY 'pw'`);
      await admin.query(`GRANT SELECT ON ${database.name}.* TO '${user}'@'${host}'`);
    });
    onTestFinished(() => onServer(server, async (admin) => void (await admin.query(`DROP USER '${user}'@'${host}'`))));
    const url = Object.assign(new URL(database.url), { username: user, password: "pw" }).toString();
    const store = openMysqlStore({ name: "shop", url, own: database.own, applicationName: "x" });
    onTestFinished(() => store.close());
    const refused = store.migrate();
    await expect(refused).rejects.toThrow(`the database ${database.own.database} in store shop`);
    await expect(refused).rejects.toThrow(/may not create it.*GRANT SELECT, INSERT, .* ON `db\\_.*\\_own`\.\* TO/);
    expect((await store.catalog()).ownSchema).toBe("missing");
    expect(await store.user()).toBe(`${user}@${host}`);
  });
});
