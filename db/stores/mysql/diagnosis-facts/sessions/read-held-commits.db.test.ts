import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
async function openServer(flavor: "mysql" | "mariadb", settings: readonly string[] = []) {
  const program = flavor === "mysql" ? await findMysqlProgram(() => undefined) : findMariadbProgram();
  const server = await runServer(flavor, program, settings);
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

/** A small disk of its own; null where this user may not mount one. */
function mountSmallDisk(): { folder: string; fill: () => void; free: () => void } | null {
  const folder = mkdtempSync(join(tmpdir(), "outbox-console-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m,mode=1777", "tmpfs", folder], { stdio: "pipe" });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  onTestFinished(() => {
    execFileSync("umount", ["-l", folder]);
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, "fill");
  const fill = () => {
    const open = openSync(file, "w");
    try {
      for (;;) writeSync(open, Buffer.alloc(512));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      closeSync(open);
    }
  };
  return { folder, fill, free: () => rmSync(file) };
}

describe.each(flavorsFor("mysql"))("a server of %s that holds commits back", (flavor) => {
  test("says that the disk of its binary log is full", { timeout: MYSQL_START_TIMEOUT_MS }, async (context) => {
    const disk = mountSmallDisk();
    if (disk === null) return context.skip("by capability: this user may mount no disk");
    const { connect, why, whySoon } = await openServer(flavor, [`--log-bin=${disk.folder}/log`, "--server-id=1"]);
    expect(await why()).toBeNull();
    disk.fill();
    const producer = await connect("producer");
    const sizes = Array.from({ length: 20 }, (_, n) => n);
    void Promise.all(sizes.map((n) => producer.query("INSERT INTO note VALUES (?)", [n]))).catch(() => undefined);
    expect(await whySoon()).toMatchObject({
      reason: expect.stringMatching(/^commits .*disk.* is full/),
      remedy: expect.stringMatching(/^Free space/),
      everywhere: true,
    });
    disk.free();
  });

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
