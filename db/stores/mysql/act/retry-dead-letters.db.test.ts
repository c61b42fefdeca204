import { randomUUID } from "node:crypto";
import type { Connection } from "mysql2/promise";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { ItemAct } from "#db/stores/port/outbox-actions.ts";
import type { OutboxStore, Store } from "#db/stores/port/store.ts";
import type { VerbRequest } from "#db/stores/port/verb.ts";
import { borrowMysqlDatabase, flavorsFor, type MysqlTestDatabase } from "#tests/mysql.ts";
import { EVERYTHING } from "#tests/test-depth.ts";
import { waitFor } from "#tests/wait-for.ts";
import { openMysqlStore } from "../open-mysql-store.ts";
import { column, mapBox } from "../relay/box.fixture.ts";

const COUNT = 4;
const OPERATION = randomUUID();
const CREATE_BOX = `CREATE TABLE box (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, place bigint UNIQUE, aggregate_id varchar(100),
  payload longtext, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6), attempts int NOT NULL DEFAULT 0,
  KEY waiting (published_at, id))`;

interface Item extends Pick<VerbRequest, "id" | "version"> {
  seq: number;
}

describe.each(flavorsFor("mysql"))("a retry of many dead messages on %s", (flavor) => {
  let database: MysqlTestDatabase;
  let store: Store;
  let outbox: OutboxStore;
  let other: Connection;
  let letters: Item[];

  const open = (more: Partial<OutboxMapping> = {}) =>
    store.outbox({
      ...{ name: "orders", mapping: { ...mapBox(database.name), ...more }, storeSide: true },
      ...{ maxAttempts: null, estimatedRows: -1 },
    });
  const query = (text: string, values: readonly unknown[] = []) => database.query(text, values);
  const own = (table: string) => `${database.own.database}.${table}`;
  const insert = async (payloads: readonly string[], more = "NULL, 'a'") => {
    const ids: string[] = [];
    for (const payload of payloads) {
      await query(`INSERT INTO box (place, aggregate_id, payload) VALUES (${more}, ?)`, [payload]);
      ids.push((await query("SELECT LAST_INSERT_ID() AS id"))[0]?.id ?? "");
    }
    return ids;
  };
  /** Items of an operation, one for each message as it is now. */
  const itemsOf = async (ids: readonly string[]) => {
    const versions = new Map((await outbox.read.find(ids)).map(({ id, version }) => [id, version]));
    const [last] = await query(`SELECT COALESCE(MAX(seq), 0) AS seq FROM ${own("operation_item")}`);
    const items = ids.map((id, at) => ({ seq: Number(last?.seq) + at + 1, id, version: versions.get(id) ?? "" }));
    for (const { seq, id, version } of items)
      await query(
        `INSERT INTO ${own("operation_item")} (operation_id, seq, message_id, version, state_before) VALUES (?, ?, ?, ?, 'dead')`,
        [OPERATION, seq, id, version],
      );
    return items;
  };
  const verbOf = ({ seq, ...of }: Item): VerbRequest => ({
    ...{ ...of, action: "retry", actor: { name: "ada", role: "admin" }, reason: "INC-42" },
    ...{ operationId: OPERATION, dryRun: false, item: { seq, outcome: "released" } },
  });
  const deadLetter = async (id: string) => {
    const [row] = await outbox.read.find([id]);
    const dead = { ...verbOf({ seq: 0, id, version: row?.version ?? "" }), action: "dead-letter" as const };
    await outbox.act.perform({ ...dead, item: undefined }, 0);
  };
  const buried = async (ids: readonly string[]) => {
    for (const id of ids) await deadLetter(id);
    return itemsOf(ids);
  };
  const retry = (items: readonly Item[]) => outbox.act.performItems(items.map(verbOf));
  const codes = (acts: readonly ItemAct[]) => acts.map(({ seq, failure }) => [seq, failure?.code ?? null]);
  const done = (items: readonly Item[], failed: Readonly<Record<number, string>> = {}) =>
    items.map(({ seq }) => [seq, failed[seq] ?? null]);
  const states = async (items: readonly Item[]) => {
    const found = new Map((await outbox.read.find(items.map(({ id }) => id))).map(({ id, state }) => [id, state]));
    return items.map(({ id }) => found.get(id));
  };
  const outcomes = async (items: readonly Item[]) => {
    const rows = await query(`SELECT seq, outcome FROM ${own("operation_item")}`);
    return items.map(({ seq }) => rows.find((row) => Number(row.seq) === seq)?.outcome ?? null);
  };
  const dueOrder = async () =>
    (
      await query(
        `SELECT message_id FROM ${own("delivery")} WHERE dead_at IS NULL AND next_attempt_at <= UTC_TIMESTAMP(6) ORDER BY next_attempt_at`,
      )
    ).map((row) => row.message_id);
  /** Resolves once a session executes such a statement, which waits for another session's lock. */
  const waitsAt = (statement: string) =>
    waitFor(
      async () => {
        const at = "SELECT 1 FROM information_schema.processlist WHERE db = ? AND info LIKE ?";
        return (await query(at, [database.name, `${statement}%`])).length > 0;
      },
      { message: `it executes ${statement}`, timeoutMs: 10_000 },
    );

  beforeEach(async () => {
    database = await borrowMysqlDatabase(flavor);
    await query(CREATE_BOX);
    store = openMysqlStore({ name: "shop", url: database.url, own: database.own, applicationName: "test" });
    outbox = open();
    other = await database.connect();
    // An unexpected wait ends after 1 s.
    await other.query("SET innodb_lock_wait_timeout = 1");
    const ids: string[] = [];
    for (let n = 1; n <= COUNT; n += 1) ids.push(...(await insert(["x"], `${n}, 'a'`)));
    letters = await buried(ids);
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  const lockItem = (item?: Item) =>
    other.query(`SELECT 1 FROM ${own("operation_item")} WHERE operation_id = ? AND seq = ? FOR UPDATE`, [
      OPERATION,
      item?.seq,
    ]);
  const lockLetter = ({ id }: Item) =>
    other.query(`SELECT 1 FROM ${own("dead_letter")} WHERE outbox = 'orders' AND message_id = ? FOR UPDATE`, [id]);
  const LOCK_AS_A_CLAIM = () => `SELECT 1 FROM ${own("outbox_lock")} WHERE outbox = 'orders' LOCK IN SHARE MODE`;

  test("does not wait for a claim, and is due in the order given", async () => {
    await other.query("START TRANSACTION");
    await other.query(LOCK_AS_A_CLAIM());
    const given = letters.toReversed();
    expect(codes(await retry(given))).toEqual(done(given));
    expect(await states(letters)).toEqual(letters.map(() => "pending"));
    expect(await outcomes(letters)).toEqual(letters.map(() => "released"));
    expect(await dueOrder()).toEqual(given.map(({ id }) => id));
  });

  test("holds up neither a claim nor a producer nor the settle of a live message", async () => {
    const [live] = await insert(["live"], "1000, 'live'");
    await other.query("START TRANSACTION");
    await lockItem(letters[0]);
    const acting = retry(letters);
    // The last write of the retry.
    await waitsAt("UPDATE%operation_item");
    const beside = await database.connect();
    await beside.query("SET innodb_lock_wait_timeout = 1; SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
    await beside.query("START TRANSACTION");
    await beside.query(LOCK_AS_A_CLAIM());
    await beside.query("INSERT INTO box (place, aggregate_id, payload) VALUES (1001, 'a', 'x')");
    await beside.query("UPDATE box SET published_at = UTC_TIMESTAMP(6) WHERE id = ?", [live]);
    await beside.query(`INSERT INTO ${own("delivery")} (outbox, message_id, attempts) VALUES ('orders', '5', 1)`);
    await beside.query("COMMIT");
    await other.query("COMMIT");
    expect(codes(await acting)).toEqual(done(letters));
  });

  test("leaves one that another session acts on for later, and does the others", async () => {
    const [first] = letters as [Item];
    await other.query("START TRANSACTION");
    await lockLetter(first);
    expect(codes(await retry(letters))).toEqual(done(letters, { [first.seq]: "locked" }));
    await other.query("COMMIT");
    expect(codes(await retry([first]))).toEqual(done([first]));
    expect(await outcomes(letters)).toEqual(letters.map(() => "released"));
  });

  test("refuses one that has changed since, as for itself alone, and does the others", async () => {
    const [, second] = letters as [Item, Item];
    const stale = letters.map((item) => (item === second ? { ...item, version: "old" } : item));
    const acts = await retry(stale);
    expect(codes(acts)).toEqual(done(letters, { [second.seq]: "conflict" }));
    const alone = outbox.act.perform(verbOf({ ...second, version: "old" }), 0);
    await expect(alone).rejects.toMatchObject({ message: acts[1]?.failure?.message });
    expect(await outcomes(letters)).toEqual(letters.map((item) => (item === second ? null : "released")));
  });

  test("does not bring one back whose id is in the table again, and does the others", async () => {
    const [, second] = letters as [Item, Item];
    await query("INSERT INTO box (id, payload) VALUES (?, 'again')", [second.id]);
    expect(codes(await retry(letters))).toEqual(done(letters, { [second.seq]: "conflict" }));
    expect(await query(`SELECT message_id FROM ${own("dead_letter")}`)).toEqual([{ message_id: second.id }]);
    expect(await dueOrder()).toEqual(letters.filter((item) => item !== second).map(({ id }) => id));
  });

  test("does not bring one back that a trigger refuses, or changes, and does the others", async () => {
    const ids = await insert(["raise", "change", "plain"]);
    const items = [...letters, ...(await buried(ids))];
    await query(`CREATE TRIGGER strict_box BEFORE INSERT ON box FOR EACH ROW BEGIN
      IF NEW.payload = 'raise' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END IF;
      IF NEW.payload = 'change' THEN SET NEW.payload = 'changed'; END IF; END`);
    const [raise = 0, change = 0] = items.slice(COUNT).map(({ seq }) => seq);
    expect(codes(await retry(items))).toEqual(done(items, { [raise]: "conflict", [change]: "conflict" }));
    expect(await states(items)).toEqual([...letters.map(() => "pending"), "dead", "dead", "pending"]);
  });

  test("brings those back that left before columns were added, with their defaults, and others with their values", async () => {
    await query("ALTER TABLE box ADD tenant varchar(20) NOT NULL DEFAULT 'main', ADD note text");
    const [later = ""] = await insert(["later"]);
    await query("UPDATE box SET tenant = 'other', note = 'kept' WHERE id = ?", [later]);
    const items = [...letters, ...(await buried([later]))];
    expect(codes(await retry(items))).toEqual(done(items));
    const before = letters.map(({ id }) => ({ id, tenant: "main", note: null }));
    const after = [...before, { id: later, tenant: "other", note: "kept" }];
    expect(await query("SELECT id, tenant, note FROM box ORDER BY id")).toEqual(after);
  });

  test("brings none back of which a column is gone", async () => {
    await query("ALTER TABLE box DROP COLUMN place");
    expect(codes(await retry(letters))).toEqual(
      done(letters, Object.fromEntries(letters.map(({ seq }) => [seq, "conflict"]))),
    );
    expect(await query("SELECT id FROM box")).toEqual([]);
  });

  test("brings large and small ones back in the order given", async () => {
    const items = await buried(await insert(["x".repeat(3_000_000), "x", "y".repeat(2_000_000), "y"]));
    expect(codes(await retry(items))).toEqual(done(items));
    expect(await dueOrder()).toEqual(items.map(({ id }) => id));
  });

  test("that stay in their table does not wait for a claim either, and leaves one that is in use for later", async () => {
    const ids = await insert(["x", "y", "z"]);
    for (const id of ids)
      await query(
        `INSERT INTO ${own("delivery")} (outbox, message_id, attempts, dead_at) VALUES ('orders', ?, 5, NOW())`,
        [id],
      );
    const [x, y, z] = (await itemsOf(ids)) as [Item, Item, Item];
    await other.query("START TRANSACTION");
    await other.query(LOCK_AS_A_CLAIM());
    expect(codes(await retry([x, ...letters]))).toEqual(done([x, ...letters]));
    await other.query("COMMIT; START TRANSACTION");
    await other.query("SELECT 1 FROM box WHERE id = ? FOR UPDATE", [y.id]);
    expect(codes(await retry([y, z]))).toEqual(done([y, z], { [y.seq]: "locked" }));
    await other.query("COMMIT");
    expect(await dueOrder()).toEqual([x, ...letters, z].map(({ id }) => id));
  });

  test("that their table calls dead waits for claims that may have read them before, and no claim waits for it", async () => {
    outbox = open({
      columns: { ...mapBox(database.name).columns, attempts: column("attempts", "int") },
      deadAttempts: 5,
    });
    const ids = await insert(["x", "y", "z"]);
    await query("UPDATE box SET attempts = 5");
    const items = await itemsOf(ids);
    await query(`INSERT IGNORE INTO ${own("outbox_lock")} (outbox) VALUES ('orders')`);
    await other.query("START TRANSACTION");
    await other.query(LOCK_AS_A_CLAIM());
    const acting = retry(items);
    await waitsAt("SELECT%outbox_lock");
    await other.query("COMMIT");
    expect(codes(await acting)).toEqual(done(items));
    expect(await query("SELECT DISTINCT attempts FROM box")).toEqual([{ attempts: "0" }]);
    expect(await dueOrder()).toEqual(ids);
  });

  test("is an archive of dead letters as well, which waits for no claim, and leaves the table's own for themselves", async () => {
    const [live] = await itemsOf(await insert(["x"]));
    await query("UPDATE box SET published_at = UTC_TIMESTAMP(6)");
    const [fresh] = await outbox.read.find([live?.id ?? ""]);
    const archive = (items: readonly Item[]) =>
      outbox.act.performItems(
        items.map((item) => ({
          ...verbOf(item),
          action: "archive" as const,
          item: { seq: item.seq, outcome: "done" as const },
        })),
      );
    await other.query("START TRANSACTION");
    await other.query(LOCK_AS_A_CLAIM());
    expect(codes(await archive(letters))).toEqual(done(letters));
    await other.query("COMMIT");
    const published = [{ ...(live as Item), version: fresh?.version ?? "" }];
    expect(codes(await archive(published))).toEqual(done(published));
    expect(await states([...letters, ...published])).toEqual([...letters, ...published].map(() => "archived"));
    expect(await outcomes([...letters, ...published])).toEqual([...letters, ...published].map(() => "done"));
  });

  test("takes them out of claims whose relay is gone, and ends the holds behind them", async () => {
    const [first, second] = letters as [Item, Item];
    await query(
      `INSERT INTO ${own("claim")} (token, outbox, owner, epoch, message_ids) VALUES ('t', 'orders', 'gone', 1, ?)`,
      [JSON.stringify([first.id, "900", second.id])],
    );
    await query(
      `INSERT INTO ${own("pause")} (outbox, scope, subject, reason, \`by\`, message_id) VALUES ('orders', 'aggregate', 'a', 'dead', 'relay', ?)`,
      [second.id],
    );
    expect(codes(await retry(letters))).toEqual(done(letters));
    expect(JSON.parse((await query(`SELECT message_ids FROM ${own("claim")}`))[0]?.message_ids ?? "")).toEqual(["900"]);
    expect(await query(`SELECT 1 FROM ${own("pause")}`)).toEqual([]);
    const [told] = await query(`SELECT message FROM ${own("operation_item")} WHERE seq = ?`, [second.seq]);
    expect(told?.message).toMatch(/was held behind it and is now released/);
  });

  test("does none whose item has an outcome, and those of the others once", async () => {
    const [, second] = letters as [Item, Item];
    await query(`UPDATE ${own("operation_item")} SET outcome = 'cancelled' WHERE seq = ?`, [second.seq]);
    expect(codes(await retry(letters))).toEqual(done(letters, { [second.seq]: "conflict" }));
    expect(await outcomes(letters)).toEqual(letters.map((item) => (item === second ? "cancelled" : "released")));
    expect(await states(letters)).toEqual(letters.map((item) => (item === second ? "dead" : "pending")));
  });

  test("is tried again after a deadlock that took all of it back", async () => {
    await query("CREATE TABLE weight (n int)");
    const [first] = letters as [Item];
    await other.query("START TRANSACTION");
    // InnoDB rolls back the transaction that has written less.
    await other.query(`INSERT INTO weight VALUES ${Array(500).fill("(1)").join(", ")}`);
    await lockItem(first);
    const acting = retry(letters);
    await waitsAt("UPDATE%operation_item");
    await lockLetter(first);
    // The first one stays locked until the others are done.
    expect(codes(await acting)).toEqual(done(letters, { [first.seq]: "locked" }));
    await other.query("ROLLBACK");
    expect(codes(await retry([first]))).toEqual(done([first]));
    expect(await outcomes(letters)).toEqual(letters.map(() => "released"));
    expect(await states(letters)).toEqual(letters.map(() => "pending"));
  });

  // Slow: waits until the action gives up on the lock.
  if (EVERYTHING)
    test("does what it can while the item of one stays locked", async () => {
      const [, second] = letters as [Item, Item];
      await other.query("START TRANSACTION");
      await lockItem(second);
      const acts: ItemAct[] = [];
      for (let left = letters; left.length > 0; left = letters.slice(acts.length)) acts.push(...(await retry(left)));
      expect(codes(acts)).toEqual(done(letters, { [second.seq]: "locked" }));
      await other.query("ROLLBACK");
      expect(await states(letters)).toEqual(letters.map((item) => (item === second ? "dead" : "pending")));
    });
});
