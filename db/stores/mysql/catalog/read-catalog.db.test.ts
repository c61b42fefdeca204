import { describe, expect, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import type { CatalogTable } from "../../port/catalog.ts";
import { openPool } from "../connection/test-pool.fixture.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { whyRowsCannotGo } from "../retention/why-rows-stay.ts";
import { whyRowsCannotMove } from "./can-move-rows.ts";
import { readCatalog } from "./read-catalog.ts";

describe.each(["mysql", "mariadb"] as const)("the catalog of %s", (flavor) => {
  const database = testMysqlDatabase(flavor);

  const read = (schemas?: string[]): Promise<CatalogTable[]> => {
    const { name, own } = database();
    const scope = { schemas, database: name, place: own };
    return withReadTransaction(openPool(database(), { readOnly: true }), 5000, (s) => readCatalog(s, scope));
  };
  const tableOf = async (name: string) => {
    const table = (await read()).find((one) => one.name === name);
    if (!table) throw new Error(`There is no ${name}.`);
    return table;
  };

  test("has a table's columns with their types, defaults and what is special about them", async () => {
    await database().query(`CREATE TABLE \`Odd Outbox\` (
      id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
      uid binary(16) NOT NULL, status varchar(20) NOT NULL DEFAULT 'PENDING',
      kind enum('A', 'it''s', 'b,c') DEFAULT 'A', body json, note longtext, published tinyint(1) NOT NULL DEFAULT 0,
      small tinyint, n int NOT NULL DEFAULT 7, at timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), due datetime,
      code char(14), doubled int AS (n * 2) STORED, \`we\`\`ird? name\` int,
      UNIQUE KEY by_uid (uid), KEY by_status (status, at DESC), KEY by_note (note(20)), UNIQUE KEY partly (note(10)))`);
    const table = await tableOf("Odd Outbox");
    expect(table).toMatchObject({
      key: `${database().name}.Odd Outbox`,
      schema: database().name,
      inDefaultSchema: true,
      primaryKey: ["id"],
      uniqueKeys: [["uid"]],
      words: { kind: ["A", "it's", "b,c"] },
      partitioned: false,
      rowSecurity: false,
      rowSecurityOnWrite: false,
    });
    const said = table.columns.map(({ name, type, family, nullable, generated, identity, defaultSql }) =>
      [name, type, family, nullable && "null", generated && "generated", identity && "identity", defaultSql]
        .filter(Boolean)
        .join(" "),
    );
    const now = flavor === "mysql" ? "CURRENT_TIMESTAMP(6)" : "current_timestamp(6)";
    expect(said).toEqual([
      "id bigint unsigned bigint identity",
      "uid binary(16) uuid",
      "status varchar(20) text 'PENDING'",
      "kind enum('A','it''s','b,c') words null 'A'",
      "body json json null",
      "note longtext text null",
      "published tinyint(1) boolean 0",
      "small tinyint smallint null",
      "n int integer 7",
      `at timestamp(6) instant ${now}`,
      "due datetime datetime null",
      "code char(14) compact null",
      "doubled int integer null generated",
      "we`ird? name int integer null",
    ]);
    const indexes = Object.fromEntries(table.indexes.map(({ name, definition }) => [name, definition]));
    const on = `\`${database().name}\`.\`Odd Outbox\``;
    expect(indexes).toMatchObject({
      PRIMARY: `ALTER TABLE ${on} ADD PRIMARY KEY (\`id\`)`,
      by_uid: `CREATE UNIQUE INDEX \`by_uid\` ON ${on} (\`uid\`)`,
      by_note: `CREATE INDEX \`by_note\` ON ${on} (\`note\`(20))`,
    });
    expect(table.indexes.find(({ name }) => name === "by_status")).toMatchObject({
      columns: ["status", "at"],
      predicate: null,
    });
  });

  test("has tables without a key, of another engine, partitioned ones, and no views", async () => {
    await database().query(`CREATE TABLE keyless (a int, b text, UNIQUE KEY (a)) ENGINE = MyISAM;
      INSERT INTO keyless VALUES (1, 'x'), (2, 'y');
      CREATE TABLE parted (id int, at date, PRIMARY KEY (id, at)) PARTITION BY HASH (id) PARTITIONS 4;
      CREATE VIEW seen AS SELECT * FROM keyless;
      CREATE TABLE empty_one (id int PRIMARY KEY)`);
    expect(await tableOf("keyless")).toMatchObject({ primaryKey: [], uniqueKeys: [["a"]], estimatedRows: 2 });
    expect(await tableOf("parted")).toMatchObject({ primaryKey: ["id", "at"], partitioned: true });
    expect((await tableOf("empty_one")).estimatedRows).toBe(0);
    expect((await read()).map(({ name }) => name)).not.toContain("seen");
  });

  test("has the words of a check", async () => {
    await database().query(
      "CREATE TABLE checked (id int PRIMARY KEY, status varchar(10), n int, CHECK (status IN ('NEW', 'it''s')), CHECK (n > 1))",
    );
    const [version] = await database().query("SELECT VERSION() AS v");
    // MySQL before 8.0.16 forgets checks.
    const keeps = flavor === "mariadb" || !/^8\.0\.(\d|1[0-5])\b/.test(version?.v ?? "");
    expect((await tableOf("checked")).words).toEqual(keeps ? { status: ["NEW", "it's"] } : {});
  });

  test("has the databases that are asked for, without our own and the server's", async () => {
    await database().query("CREATE TABLE here (id int PRIMARY KEY)");
    const { name, own } = database();
    const schemas = async (asked?: string[]) => [...new Set((await read(asked)).map(({ schema }) => schema))];
    expect(await schemas()).toEqual([name]);
    expect(await schemas([name, own.database, "mysql"])).toEqual([name]);
    expect(await schemas([])).toEqual([]);
  });

  test("recognises a type whatever its words and its width", async () => {
    await database().query("CREATE TABLE typed (id bigint PRIMARY KEY, kind enum('a'), word varchar(10))");
    const keys = async () => (await tableOf("typed")).columns.map(({ typeKey }) => typeKey);
    const before = await keys();
    await database().query("ALTER TABLE typed MODIFY kind enum('a', 'b'), ADD more int");
    expect((await keys()).slice(0, 3)).toEqual(before);
    await database().query("ALTER TABLE typed MODIFY word varchar(10) CHARACTER SET latin1");
    expect((await keys())[2]).not.toBe(before[2]);
  });

  test("says why rows must not be moved out of a table", async () => {
    await database().query(`CREATE TABLE free (id int PRIMARY KEY) ENGINE = InnoDB;
      CREATE TABLE referenced (id int PRIMARY KEY) ENGINE = InnoDB;
      CREATE TABLE child (id int, FOREIGN KEY (id) REFERENCES referenced (id)) ENGINE = InnoDB;
      CREATE TABLE triggered (id int PRIMARY KEY) ENGINE = InnoDB;
      CREATE TRIGGER gone BEFORE DELETE ON triggered FOR EACH ROW SET @x = 1`);
    const why = (name: string) =>
      withReadTransaction(openPool(database()), 5000, (session) =>
        whyRowsCannotMove(session, { schema: database().name, name }),
      );
    expect(await why("free")).toBeNull();
    expect(await why("referenced")).toBe("another table references its rows by a foreign key");
    expect(await why("triggered")).toBe("it has triggers that run on insert or delete");
  });
});

describe("the catalog of MariaDB alone", () => {
  const maria = testMysqlDatabase("mariadb");

  test("has tables whose earlier rows the server keeps", async () => {
    await maria().query(
      "CREATE TABLE kept_outbox (id bigint PRIMARY KEY, payload longtext) WITH SYSTEM VERSIONING; CREATE TABLE dated_outbox (id bigint PRIMARY KEY, since timestamp(6) GENERATED ALWAYS AS ROW START, till timestamp(6) GENERATED ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME (since, till)) WITH SYSTEM VERSIONING",
    );
    const { name: database, own } = maria();
    const scope = { database, place: own };
    const tables = await withReadTransaction(openPool(maria(), { readOnly: true }), 5000, (s) => readCatalog(s, scope));
    const [dated, kept] = tables;
    expect(kept).toMatchObject({ name: "kept_outbox", primaryKey: ["id"] });
    expect(dated?.columns.map(({ name, generated }) => [name, generated])).toEqual([
      ["id", false],
      ["since", true],
      ["till", true],
    ]);
    const why = (name: string) =>
      withReadTransaction(openPool(maria()), 5000, (session) => whyRowsCannotMove(session, { schema: database, name }));
    expect(await why("kept_outbox")).toBeNull();
    expect(await why("dated_outbox")).toContain("the server dates its rows");
    const whyNoDelete = (name: string) =>
      withReadTransaction(openPool(maria()), 5000, (session) =>
        whyRowsCannotGo(session, { table: { schema: database, name } }),
      );
    expect(await whyNoDelete("kept_outbox")).toBeNull();
    expect(await whyNoDelete("dated_outbox")).toContain("keeps deleted rows");
    await maria().query("CREATE TRIGGER noted BEFORE INSERT ON dated_outbox FOR EACH ROW SET NEW.id = NEW.id");
    expect(await whyNoDelete("dated_outbox")).toContain("keeps deleted rows");
  });
});
