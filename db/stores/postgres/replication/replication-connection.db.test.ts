import type pg from "pg";
import { afterEach, expect, test } from "vitest";
import { createTestDatabase } from "#tests/postgres.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { ReplicationConnection } from "./replication-connection.ts";

const STATUS_MS = 20;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let line: TcpProxy;
let connection: ReplicationConnection;
afterEach(async () => {
  await line.resume();
  await connection.close();
  await line.close();
  await dropSlot();
  await database.dropByForce();
});

/** A connection whose seconds are short, over a line that can be broken. */
async function connect(isAtWork: () => Promise<boolean> = async () => false) {
  database = await createTestDatabase();
  const slot = `s_${database.name}`;
  await database.pool.query(`CREATE TABLE box (id int PRIMARY KEY); CREATE PUBLICATION ${slot} FOR TABLE box`);
  await database.pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
  const url = new URL(database.url);
  line = await startTcpProxy({ port: Number(url.port) });
  url.port = String(line.port);
  const heard = { messages: 0, keepalives: 0, asked: 0 };
  connection = new ReplicationConnection({
    url: url.toString(),
    statusMs: STATUS_MS,
    events: {
      data: () => {
        heard.messages += 1;
      },
      keepalive: () => {
        heard.keepalives += 1;
      },
      flushed: () => undefined,
      isAtWork: () => {
        heard.asked += 1;
        return isAtWork();
      },
    },
  });
  await connection.start({ slot, publication: slot });
  return heard;
}

/** Slots belong to the whole server. */
async function dropSlot() {
  const drop = () => database.pool.query("SELECT pg_drop_replication_slot($1)", [`s_${database.name}`]);
  await waitFor(() => drop().then(() => true), { timeoutMs: 20_000, message: "the slot is free" });
}

const stillOpen = () => Promise.race([connection.ended.then(() => false), Promise.resolve(true)]);

test("a line that swallows everything ends the stream, and says why", async () => {
  await connect();
  line.pause();
  expect((await connection.ended)?.message).toMatch(/has not answered/);
});

test("an idle server is asked, and answers", async () => {
  const heard = await connect();
  await waitFor(() => heard.keepalives >= 20, { message: "it has answered often" });
  expect(await stillOpen()).toBe(true);
  expect(heard.asked).toBe(0);
});

test("a server that is at work on a long transaction is waited for", async () => {
  let atWork = true;
  const heard = await connect(async () => atWork);
  line.pause();
  await waitFor(() => heard.asked >= 3, { message: "it was looked after" });
  expect(await stillOpen()).toBe(true);
  atWork = false;
  expect(await connection.ended).toBeInstanceOf(Error);
});

test("what we do not read is not held against the server", async () => {
  const heard = await connect();
  connection.pause();
  const { keepalives } = heard;
  await waitFor(async () => (await repliesOf(database.pool)) > 60, { message: "many seconds went by" });
  expect(await stillOpen()).toBe(true);
  connection.resume();
  await waitFor(() => heard.keepalives > keepalives, { message: "it goes on" });
  expect(heard.asked).toBe(0);
});

let replies = 0;
let lastReply = "";
/** How many different status updates of ours the server has been seen to get. */
async function repliesOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query("SELECT max(reply_time)::text AS at FROM pg_stat_replication");
  if (rows[0].at !== lastReply) replies += 1;
  lastReply = rows[0].at;
  return replies;
}
