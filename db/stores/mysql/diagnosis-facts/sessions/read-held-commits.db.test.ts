import mysql from "mysql2/promise";
import { describe, expect, onTestFinished, test } from "vitest";
import { flavorsFor, MYSQL_START_TIMEOUT_MS, onServer } from "#tests/mysql.ts";
import { findMariadbProgram } from "#tests/mysql-servers/mariadb-program.ts";
import { findMysqlProgram } from "#tests/mysql-servers/mysql-program.ts";
import { runServer } from "#tests/mysql-servers/run-server.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createStorePools } from "../../connection/store-pools.ts";
import { migrateStoreSide } from "../../own-schema/migrate.ts";
import { readWhyReadOnly } from "../read-why-read-only.ts";

const OWN = { database: "outbox_console", prefix: "" };

/** A server of its own, because the locks and settings hold for all of its sessions. */
async function openServer(flavor: "mysql" | "mariadb") {
  const program = flavor === "mysql" ? await findMysqlProgram(() => undefined) : findMariadbProgram();
  const server = await runServer(flavor, program);
  onTestFinished(() => server.remove());
  await onServer(server.url, async (admin) => {
    await admin.query("CREATE DATABASE shop");
    await admin.query("CREATE TABLE shop.note (id bigint PRIMARY KEY)");
  });
  const pools = createStorePools({ url: `${server.url}shop`, own: OWN, applicationName: "outbox-console test" });
  onTestFinished(() => pools.close());
  await migrateStoreSide(server.url, OWN);
  const connect = async (name: string) => {
    const uri = Object.assign(new URL(server.url), { pathname: "/shop" }).toString().replace(/^\w+:/, "mysql:");
    const session = await mysql.createConnection({ uri, connectAttributes: { program_name: name } });
    session.on("error", () => undefined);
    onTestFinished(() => session.destroy());
    return session;
  };
  /** Begins a write that is not done before the server takes commits again. */
  const write = async (id: number) => {
    const producer = await connect("producer");
    void producer.query("INSERT INTO note VALUES (?)", [id]).catch(() => undefined);
  };
  const why = () => readWhyReadOnly(pools.writes(), "orders");
  const whySoon = () => waitFor(why, { timeoutMs: 15_000, message: "the reason is found" });
  return { connect, write, why, whySoon };
}

describe.each(flavorsFor("mysql"))("a server of %s that holds commits back", (flavor) => {
  test("names who holds them", { timeout: MYSQL_START_TIMEOUT_MS }, async () => {
    const { connect, write, why, whySoon } = await openServer(flavor);
    expect(await why()).toBeNull();
    const backup = await connect("nightly-backup");
    await backup.query("FLUSH TABLES WITH READ LOCK");
    expect(await whySoon()).toMatchObject({
      reason: expect.stringMatching(/^nightly-backup \(pid \d+\) has locked all tables for writes/),
      remedy: expect.stringMatching(/`KILL \d+`/),
    });
    await backup.query("UNLOCK TABLES");
    expect(await why()).toBeNull();

    if (flavor === "mysql") return;
    for (const stage of ["START", "FLUSH", "BLOCK_DDL"]) await backup.query(`BACKUP STAGE ${stage}`);
    expect(await why()).toBeNull();
    await backup.query("BACKUP STAGE BLOCK_COMMIT");
    await write(1);
    expect(await whySoon()).toMatchObject({
      reason: expect.stringMatching(/^nightly-backup \(pid \d+\) holds back every commit, as BACKUP STAGE does/),
      remedy: expect.stringMatching(/`KILL \d+`/),
    });
    await backup.query("BACKUP STAGE END");
    expect(await waitFor(async () => (await why()) === null, { message: "the backup is over" })).toBe(true);

    await backup.query("SET GLOBAL rpl_semi_sync_master_timeout = 600000, rpl_semi_sync_master_enabled = ON");
    await write(2);
    expect(await whySoon()).toMatchObject({
      reason: "commits wait for a semi-synchronous replica that does not confirm them, none is connected",
      remedy: expect.stringMatching(/SET GLOBAL rpl_semi_sync_master_enabled = OFF/),
      everywhere: true,
    });
    await backup.query("SET GLOBAL rpl_semi_sync_master_enabled = OFF");
    expect(await waitFor(async () => (await why()) === null, { message: "no commit waits" })).toBe(true);
  });
});
