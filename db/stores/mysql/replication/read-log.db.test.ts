import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { borrowMysqlDatabase, type MysqlTestDatabase } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { RelayStream } from "../../port/relay/relay-stream.ts";
import { CREATE_BOX, mapBox } from "../relay/box.fixture.ts";
import { checkBinlog } from "./check-binlog.ts";
import { createLogReader, type LogEars, type LogRelay, listenTo, openLogRelay, READER } from "./log-box.fixture.ts";
import { inNewSession } from "./new-session.ts";
import { openBinlogStream } from "./open-stream.ts";

/** A stream that closes its connection as soon as it is paused. */
function impatient(database: MysqlTestDatabase): Pick<RelayStream, "open"> {
  const mapping = mapBox(database.name);
  const names = { reader: READER, schema: database.name };
  return {
    open: async (events) => {
      const { checkpoint } = await inNewSession(database, (session) => checkBinlog(session, session.own, names));
      if (!checkpoint) throw new Error("There is no reader.");
      return openBinlogStream({
        ...{ url: database.url, reader: READER, mapping, lanes: true, fields: {}, whole: false, checkpoint, events },
        ...{ move: async () => undefined, confirmed: () => undefined, pausedMs: 0 },
      });
    },
  };
}

describe.each(["mysql", "mariadb"] as const)("reading the binary log of %s", (flavor) => {
  let database: MysqlTestDatabase;
  let relay: LogRelay | null;
  let ears: LogEars[];
  beforeEach(async () => {
    database = await borrowMysqlDatabase(flavor);
    await database.query(CREATE_BOX);
    await createLogReader(database);
    relay = null;
    ears = [];
  });
  afterEach(async () => {
    for (const { open } of ears) await open.close();
    await relay?.table.close();
    await database.drop();
  });

  const open = async (mark: RelayStream["mark"] = "column") => {
    relay = await openLogRelay(database, mapBox(database.name), { mark });
    return relay.stream;
  };
  const listen = async (stream: Pick<RelayStream, "open">, onNotice?: (heard: LogEars) => void) => {
    const heard = await listenTo(stream, onNotice);
    ears.push(heard);
    return heard;
  };
  const insert = (count: number, payload = "x") =>
    database.query(
      `INSERT INTO box (aggregate_id, payload) VALUES ${Array.from({ length: count }, (_, n) => `('a${n % 3}', '${payload}')`).join(", ")}`,
    );
  const dumps = () =>
    database.query("SELECT id FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%' AND db = ?", [
      database.name,
    ]);

  test("values stay under their names over ALTERs in the middle, read late and read live", async () => {
    const steps = [
      "INSERT INTO box (aggregate_id, payload) VALUES ('a', 'one')",
      "ALTER TABLE box ADD COLUMN first int FIRST, ADD COLUMN note text AFTER aggregate_id",
      "INSERT INTO box (first, aggregate_id, note, payload) VALUES (1, 'b', 'n', 'two')",
      "ALTER TABLE box DROP COLUMN first, MODIFY payload longtext FIRST, MODIFY aggregate_id varchar(300)",
      "FLUSH LOGS",
      "INSERT INTO box (aggregate_id, payload) VALUES ('c', 'three')",
    ];
    for (const step of steps) await database.query(step);
    const { heard } = await listen(await open("none"));
    const told = async (count: number) =>
      (await heard(count)).map(({ message }) => [message?.aggregateId, message?.payload]);
    const expected = [
      ["a", "one"],
      ["b", "two"],
      ["c", "three"],
    ];
    expect(await told(3)).toEqual(expected);
    await database.query("ALTER TABLE box ADD COLUMN last int FIRST");
    await database.query("INSERT INTO box (last, aggregate_id, payload) VALUES (7, 'd', 'four')");
    expect(await told(4)).toEqual([...expected, ["d", "four"]]);
  });

  test("a mapped column that was renamed ends the stream with its name, and nothing is told wrongly", async () => {
    const heard = await listen(await open("none"));
    await insert(1);
    await heard.heard(1);
    await database.query("ALTER TABLE box CHANGE payload body longtext");
    await database.query("INSERT INTO box (aggregate_id, body) VALUES ('a', 'x')");
    const problem = await heard.open.ended;
    expect(problem).toMatchObject({ code: "columns", passes: false });
    expect(problem?.message).toMatch(/have no payload/);
    expect(heard.notices).toHaveLength(1);
  });

  test("a reader that the server ends says so, and goes on where it was", async () => {
    const stream = await open();
    const first = await listen(stream);
    await insert(2);
    await first.heard(2);
    first.open.confirm(first.commits.at(-1) ?? "");
    const [dump] = await dumps();
    await database.query(`KILL ${dump?.id}`);
    expect((await first.open.ended)?.passes).toBe(true);
    await insert(3);
    const second = await listen(stream);
    expect((await second.heard(3)).map(({ id }) => id)).toEqual(["3", "4", "5"]);
  });

  test("a paused stream hands over little more, and goes on without a gap or a repeat", async () => {
    const heard = await listen(await open(), ({ notices, open: stream }) => {
      if (notices.length === 10) stream.pause();
    });
    const payload = "y".repeat(2000);
    for (let round = 0; round < 40; round += 1) await insert(50, payload);
    await waitFor(() => heard.notices.length >= 10, { message: "some rows were told of" });
    const whilePaused = heard.notices.length;
    expect(whilePaused).toBeLessThan(200);
    await insert(1);
    expect(heard.notices.length).toBe(whilePaused);
    heard.open.resume();
    const ids = (await heard.heard(2001)).map(({ id }) => Number(id));
    expect(ids).toEqual(Array.from({ length: 2001 }, (_, n) => n + 1));
  });

  test("a stream that stays paused closes its connection, and goes on in the middle of a transaction", async () => {
    const heard = await listen(impatient(database), ({ notices, open: stream }) => {
      if (notices.length === 5) stream.pause();
    });
    await database.query("BEGIN");
    for (let n = 0; n < 30; n += 1) await insert(20, "z".repeat(3000));
    await database.query("COMMIT");
    await waitFor(() => heard.notices.length >= 5, { message: "some rows were told of" });
    await waitFor(async () => (await dumps()).length === 0, { message: "the connection is closed" });
    expect(heard.notices.length).toBeLessThan(600);
    heard.open.resume();
    const ids = (await heard.heard(600)).map(({ id }) => Number(id));
    expect(ids).toEqual(Array.from({ length: 600 }, (_, n) => n + 1));
    expect(heard.commits).toHaveLength(1);
  });

  test("rows of an XA transaction are told when it is committed, and never if it is rolled back", async () => {
    const heard = await listen(await open("none"));
    for (const name of ["kept", "dropped"]) {
      await database.query(`XA START '${name}'`);
      await database.query(`INSERT INTO box (aggregate_id, payload) VALUES ('x', '${name}')`);
      await database.query(`XA END '${name}'`);
      await database.query(`XA PREPARE '${name}'`);
      if (name === "kept") {
        const other = await database.connect();
        await other.query("INSERT INTO box (aggregate_id, payload) VALUES ('y', 'between')");
        await heard.heard(1);
        heard.open.confirm(heard.commits.at(-1) ?? "");
      }
      await database.query(name === "kept" ? `XA COMMIT '${name}'` : `XA ROLLBACK '${name}'`);
    }
    await database.query("XA START 'quick'");
    await insert(1, "quick");
    await database.query("XA END 'quick'");
    await database.query("XA COMMIT 'quick' ONE PHASE");
    const told = (await heard.heard(3)).map(({ message }) => message?.payload);
    expect(told).toEqual(["between", "kept", "quick"]);
    expect(heard.commits).toEqual([...heard.commits].sort());
  });

  test("the log is kept from before a prepared XA transaction on, until it is committed", async () => {
    const stream = await open("none");
    const first = await listen(stream);
    await database.query("XA START 'open'");
    await insert(1, "prepared");
    await database.query("XA END 'open'");
    await database.query("XA PREPARE 'open'");
    const other = await database.connect();
    await other.query("INSERT INTO box (aggregate_id, payload) VALUES ('y', 'later')");
    await first.heard(1);
    first.open.confirm(first.commits.at(-1) ?? "");
    await first.open.close();
    const second = await listen(stream);
    await database.query("XA COMMIT 'open'");
    const told = (await second.heard(2)).map(({ message }) => message?.payload);
    expect(told).toEqual(["later", "prepared"]);
  });

  test("with a reader of another server's place, it goes on behind the transactions that were read", async () => {
    const stream = await open("none");
    const first = await listen(stream);
    await insert(2);
    await first.heard(2);
    first.open.confirm(first.commits.at(-1) ?? "");
    await first.open.close();
    await insert(1, "unread");
    await database.query(`UPDATE ${database.own.database}.binlog_reader SET server = 'gone', file = 'old.000099'`);
    await relay?.table.close();
    const taken = await open("none");
    expect(await taken.check()).toBeNull();
    const second = await listen(taken);
    const [notice] = await second.heard(1);
    expect(notice?.message?.payload).toBe("unread");
    expect((second.commits[0] ?? "") > (first.commits[0] ?? "")).toBe(true);
  });

  test("statements in place of rows end a stream without marks, which has no table to fall back on", async () => {
    const heard = await listen(await open("none"));
    await database.query("SET SESSION binlog_format = 'STATEMENT'");
    await insert(1);
    expect(await heard.open.ended).toMatchObject({ code: "statement", passes: false });
    expect(heard.notices).toEqual([]);
  });
});
