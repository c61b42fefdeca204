import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MYSQL_START_TIMEOUT_MS } from "#tests/mysql.ts";
import { MysqlUnavailable } from "#tests/mysql-servers/server-program.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { OutboxHandover } from "../../port/handover.ts";
import type { RelayStream } from "../../port/relay/relay-stream.ts";
import { StreamError } from "../../port/relay/relay-stream.ts";
import { readHidingSettings } from "../diagnosis-facts/read-hiding-settings.ts";
import { openMysqlStore } from "../open-mysql-store.ts";
import { mapBox } from "../relay/box.fixture.ts";
import { createLogReader, type LogEars, type LogRelay, listenTo, openLogRelay } from "./log-box.fixture.ts";
import { inNewSession } from "./new-session.ts";
import { type LogServer, startLogServer } from "./own-server.fixture.ts";

describe.each(["mysql", "mariadb"] as const)("the settings and files of the binary log of %s", (flavor) => {
  let server: LogServer;
  let unavailable: string | null = null;
  let relay: LogRelay;
  let ears: LogEars[];
  beforeAll(async () => {
    server = await startLogServer(flavor).catch((error: unknown) => {
      if (!(error instanceof MysqlUnavailable)) throw error;
      unavailable = error.message;
      return null as unknown as LogServer;
    });
  }, MYSQL_START_TIMEOUT_MS);
  afterAll(async () => {
    await server?.server.remove();
  });
  beforeEach(async ({ skip }) => {
    if (unavailable !== null) skip(unavailable);
    await server.newBox();
    await createLogReader(server);
    await open("column");
    ears = [];
  });
  afterEach(async () => {
    for (const heard of ears) await heard.open.close();
    await relay.table.close();
  });

  const open = async (mark: RelayStream["mark"]) => {
    relay = await openLogRelay(server, mapBox(server.name), { mark });
  };
  const listen = async () => {
    const heard = await listenTo(relay.stream);
    ears.push(heard);
    return heard;
  };
  const insert = (payload = "x") => server.query(`INSERT INTO box (aggregate_id, payload) VALUES ('a', '${payload}')`);
  const refusal = () =>
    listen().then(
      () => null,
      (error: unknown) => (error instanceof StreamError ? error.problem : Promise.reject(error)),
    );

  test.each([
    ["binlog_row_metadata", flavor === "mysql" ? "MINIMAL" : "NO_LOG", "FULL"],
    ["binlog_row_metadata", "MINIMAL", "FULL"],
    ["binlog_row_image", "MINIMAL", "FULL"],
    ["binlog_format", "STATEMENT", "ROW"],
  ])("%s %s is refused, with the statement that sets it", async (name, wrong, right) => {
    await server.query(`SET GLOBAL ${name} = '${wrong}'`);
    const problem = await relay.stream.check();
    // A relay that is reading the log notices it too: it reads the table until the setting is right.
    expect(problem).toMatchObject({ code: "log_settings", passes: false, misses: true });
    expect(problem?.message).toContain(`${name} is ${wrong} and must be ${right}`);
    expect(await refusal()).toEqual(problem);
    await server.query(problem?.sql ?? "");
    expect(await relay.stream.check()).toBeNull();
  });

  test("rows that were logged without names of columns are never read under wrong ones", async () => {
    await server.query(
      "SET GLOBAL binlog_row_metadata = 'MINIMAL'",
      "INSERT INTO box (aggregate_id, payload) VALUES ('a', 'old')",
      "ALTER TABLE box ADD COLUMN first longtext FIRST",
      "SET GLOBAL binlog_row_metadata = 'FULL'",
    );
    expect(await relay.stream.check()).toBeNull();
    const heard = await listen();
    expect(await heard.open.ended).toMatchObject({ code: "metadata", passes: false });
    expect(heard.notices).toEqual([]);
  });

  test("what was logged before a restart, and after it, is told once each, in order", async () => {
    const first = await listen();
    await insert();
    await first.heard(1);
    first.open.confirm(first.commits.at(-1) ?? "");
    await insert();
    await first.heard(2);
    await server.server.restart();
    expect((await first.open.ended)?.passes).toBe(true);
    await insert();
    const second = await waitFor(() => listen().catch(() => null), { message: "the log is read again" });
    const notices = await second.heard(2);
    expect(notices.map(({ id }) => id)).toEqual(["2", "3"]);
    expect((notices[1]?.transaction.position ?? "") > (first.commits.at(-1) ?? "")).toBe(true);
  });

  test("a place whose file the server has removed is lost, and the statement lets the reader begin anew", async () => {
    await insert();
    expect(await relay.stream.status()).toMatchObject({ state: "ok" });
    const [last] = await server.query("FLUSH LOGS", "SHOW MASTER STATUS");
    // MariaDB keeps a file for a moment until its engine has caught up.
    const purge = async () => (await server.query(`PURGE BINARY LOGS TO '${last?.File}'`, "SHOW BINARY LOGS")).length;
    await waitFor(async () => (await purge()) === 1, { message: "the file is removed" });
    expect(await relay.stream.status()).toMatchObject({ state: "lost", lag: null });
    const problem = await relay.stream.check();
    expect(problem).toMatchObject({ code: "log_lost", passes: false });
    expect(await refusal()).toMatchObject({ code: "log_lost", message: problem?.message });
    await server.query(problem?.sql ?? "");
    const heard = await listen();
    await insert("new");
    expect((await heard.heard(1)).map(({ id }) => id)).toEqual(["2"]);
    expect(await relay.stream.status()).toMatchObject({ state: "ok" });
  });

  test("a log that was reset is lost, also if it is as long as before", async () => {
    await insert();
    await server.query("RESET MASTER");
    for (let n = 0; n < 20; n += 1) await insert("z".repeat(2000));
    expect(await relay.stream.check()).toMatchObject({ code: "log_lost", passes: false });
  });

  test("a log that was reset is not read from the old position, although it has grown past it", async () => {
    await server.query("RESET MASTER");
    for (let n = 0; n < 3; n += 1) await insert();
    await server.query("DELETE FROM outbox_console.binlog_reader", "RESET MASTER");
    for (let n = 0; n < 3; n += 1) await insert();
    await createLogReader(server);
    const second = async () => Number((await server.query("SELECT unix_timestamp() AS s"))[0]?.s);
    const before = await second();
    await waitFor(async () => (await second()) > before, {
      message: "the next second, because the log has whole ones",
    });
    await server.query("RESET MASTER");
    // The old position is behind the third of these, whose numbers the server has given before.
    for (let n = 0; n < 10; n += 1) await insert();
    expect(await relay.stream.check()).toBeNull();
    const heard = await listen();
    const ended = await Promise.race([heard.open.ended, heard.heard(1)]);
    expect(ended).toMatchObject({ code: "log_lost", passes: false });
    expect(heard.notices).toEqual([]);
  });

  test("is at risk once the files before it are about to be removed", async () => {
    await server.query(
      "SET GLOBAL binlog_expire_logs_seconds = 3600",
      `UPDATE outbox_console.binlog_reader SET read_to = UTC_TIMESTAMP(6) - INTERVAL 50 MINUTE`,
    );
    expect((await relay.stream.status()).state).toBe("ok");
    await server.query("FLUSH LOGS");
    await insert();
    const status = await relay.stream.status();
    expect(status.state).toBe("at_risk");
    expect(status.lag?.value).toBeGreaterThan(0);
    await server.query("SET GLOBAL binlog_expire_logs_seconds = 0");
    expect((await relay.stream.status()).state).toBe("ok");
  });

  test("an account without the privileges is refused, with the statement that grants them", async () => {
    await server.query(
      "DROP USER IF EXISTS plain@'%'",
      "CREATE USER plain@'%' IDENTIFIED BY 'secret'",
      "GRANT ALL ON shop.* TO plain@'%'",
      "GRANT ALL ON outbox_console.* TO plain@'%'",
    );
    const url = Object.assign(new URL(server.url), { username: "plain", password: "secret" }).toString();
    await relay.table.close();
    await server.query("DELETE FROM outbox_console.lease");
    relay = await openLogRelay({ ...server, url }, mapBox(server.name));
    const problem = await relay.stream.check();
    expect(problem).toMatchObject({ code: "permission", passes: false });
    expect(problem?.message).toMatch(/plain@%.* needs REPLICATION SLAVE and REPLICATION CLIENT/);
    expect((await relay.stream.status()).state).toBe("ok");
    await server.query(problem?.sql ?? "");
    expect(await relay.stream.check()).toBeNull();
    const heard = await listen();
    await insert();
    expect(await heard.heard(1)).toHaveLength(1);
  });

  const ofMariadb = flavor === "mariadb" ? test : null;
  ofMariadb?.("rows that the server compresses are read by our relay", async () => {
    await server.query("SET GLOBAL log_bin_compress = ON");
    const heard = await listen();
    await insert("x".repeat(2000));
    expect((await heard.heard(1)).map(({ id }) => id)).toEqual(["1"]);
    const events = await server.query(`SHOW BINLOG EVENTS IN '${await newestFile()}'`);
    expect(events.map(({ Event_type }) => Event_type)).toContain("Write_rows_compressed_v1");
    await server.query("SET GLOBAL log_bin_compress = OFF");
  });
  const newestFile = async () => (await server.query("SHOW MASTER STATUS"))[0]?.File;

  test("a position at the beginning of a log names a transaction, or else a connector would read the whole log", async () => {
    await server.query("RESET MASTER");
    const offset = await withHandover(asUser("root", ""), async (handover) => {
      const boundary = await handover.openBoundary({ reader: "debezium_box", feed: "", waitMs: 1000, most: 10 });
      await boundary.close();
      return boundary.offset;
    });
    expect(offset?.gtids).toMatch(flavor === "mysql" ? /^[\w-]{36}:1$/ : /^0-2-1$/);
  });

  test("an offset before what the server has removed is refused: the rows in between would count as published", async () => {
    const gtids = flavor === "mysql" ? "@@GLOBAL.gtid_executed" : "@@GLOBAL.gtid_binlog_pos";
    const [before] = await server.query(`SELECT ${gtids} AS transactions`);
    const [place] = await server.query("SHOW MASTER STATUS");
    await insert();
    const [last] = await server.query("FLUSH LOGS", "SHOW MASTER STATUS");
    const purge = async () => (await server.query(`PURGE BINARY LOGS TO '${last?.File}'`, "SHOW BINARY LOGS")).length;
    await waitFor(async () => (await purge()) === 1, { message: "the file is removed" });
    const stored = {
      ...{ by: "file" as const, file: String(place?.File), offset: String(place?.Position) },
      ...{ transactions: String(before?.transactions).replace(/\s/g, ""), events: null, rows: null, quotes: false },
    };
    const divided = withHandover(asUser("root", ""), async (handover) => {
      const division = await handover.openDivision({ reader: "debezium_box", feed: "", place: stored, most: 10 });
      await division.close();
    });
    await expect(divided).rejects.toThrow(/The server does not send its binary log/);
  });

  // The last test, because it leaves the server without a log.
  test("no change-over begins without what it reads, with a sentence for each", async () => {
    const problemsOf = (url: string) =>
      withHandover(url, async (handover) => {
        const problems = await handover.problems({ reader: "debezium_box", feed: "" });
        return problems.map(({ message }) => message);
      });
    const settings = { mysql: [], mariadb: ["log_bin_compress"] }[flavor];
    await server.query(
      "DROP USER IF EXISTS bare@'%'",
      "CREATE USER bare@'%' IDENTIFIED BY 'secret'",
      "GRANT ALL ON shop.* TO bare@'%'",
      "GRANT ALL ON outbox_console.* TO bare@'%'",
      "SET GLOBAL binlog_format = 'MIXED'",
      "SET GLOBAL binlog_row_image = 'MINIMAL'",
      ...settings.map((name) => `SET GLOBAL ${name} = ON`),
    );
    expect(await problemsOf(asUser("root", ""))).toEqual([
      expect.stringMatching(/^The server's binlog_format is MIXED and must be ROW: /),
      expect.stringMatching(/^The server's binlog_row_image is MINIMAL and must be FULL: /),
      ...settings.map((name) => expect.stringContaining(`The server's ${name} is ON and must be OFF: `)),
    ]);
    const hiding = async () => (await inNewSession(server, readHidingSettings)).map(({ name }) => name);
    expect(await hiding()).toEqual(["binlog_format", ...settings]);
    await server.query(
      "SET GLOBAL binlog_format = 'ROW'",
      "SET GLOBAL binlog_row_image = 'FULL'",
      ...settings.map((name) => `SET GLOBAL ${name} = OFF`),
    );
    expect([await problemsOf(asUser("root", "")), await hiding()]).toEqual([[], []]);
    const missing = async () => problemsOf(asUser("bare", "secret"));
    const mayNotList = /^The account bare@% may not list prepared transactions, .* it needs XA_RECOVER_ADMIN\.$/;
    expect(await missing()).toEqual([
      "The account bare@% may not read the binary log: it needs REPLICATION SLAVE and REPLICATION CLIENT.",
      ...(flavor === "mysql" ? [expect.stringMatching(mayNotList)] : []),
    ]);
    const lists = flavor === "mysql" ? ", XA_RECOVER_ADMIN" : "";
    await server.query(`GRANT REPLICATION SLAVE, REPLICATION CLIENT${lists} ON *.* TO bare@'%'`);
    expect(await missing()).toEqual([]);
    await relay.table.close();
    const unnumbered = flavor === "mysql" ? ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"] : [];
    await server.server.restart({ more: [...unnumbered, "--binlog-ignore-db=outbox_console"] });
    expect(await problemsOf(asUser("root", ""))).toEqual([
      expect.stringMatching(/^The server does not log the database outbox_console: /),
    ]);
    await server.server.restart({ more: [...unnumbered, "--skip-log-bin"] });
    expect(await problemsOf(asUser("root", ""))).toEqual([
      "The server writes no binary log: log_bin is OFF. Turn it on and restart the server.",
    ]);
    expect(await hiding()).toEqual(["log_bin"]);
  });

  const asUser = (username: string, password: string) =>
    Object.assign(new URL(server.url), { username, password }).toString();

  async function withHandover<T>(url: string, work: (handover: OutboxHandover) => Promise<T>): Promise<T> {
    const store = openMysqlStore({ name: "shop", url, own: server.own, applicationName: "outbox-console test" });
    try {
      const box = { name: "box", mapping: mapBox(server.name), storeSide: true, maxAttempts: null, estimatedRows: 0 };
      const { handover } = store.outbox(box);
      if (!handover) throw new Error("It has no change-over.");
      return await work(handover);
    } finally {
      await store.close();
    }
  }
});
