import pg from "pg";
import { expect, test } from "vitest";
import { testDatabase } from "./postgres.ts";
import { startTcpProxy } from "./tcp-proxy.ts";
import { waitFor } from "./wait-for.ts";

const database = testDatabase("empty");

async function connectThroughProxy() {
  const proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
  const url = new URL(database().url);
  url.port = String(proxy.port);
  const connect = async () => {
    const client = new pg.Client({ connectionString: url.toString() });
    const errors: Error[] = [];
    client.on("error", (error) => errors.push(error));
    await client.connect();
    return { client, errors };
  };
  return { proxy, connect };
}

test("passes queries through, and cuts open connections while accepting new ones", async () => {
  const { proxy, connect } = await connectThroughProxy();
  const { client, errors } = await connect();
  expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  proxy.cut();
  await waitFor(() => errors.length > 0, { message: "the client noticed the cut" });
  const again = await connect();
  await again.client.end();
  await proxy.close();
});

test("holds everything back while paused and delivers it on resume", async () => {
  const { proxy, connect } = await connectThroughProxy();
  const { client } = await connect();
  proxy.pause();
  let answered = false;
  const answer = client.query("SELECT 1 AS one").then((result) => {
    answered = true;
    return result.rows;
  });
  await database().pool.query("SELECT 1");
  expect(answered).toBe(false);
  await proxy.resume();
  expect(await answer).toEqual([{ one: 1 }]);
  await client.end();
  await proxy.close();
});

test("lets requests through and holds their answers back", async () => {
  const { proxy, connect } = await connectThroughProxy();
  const { client } = await connect();
  await database().pool.query("CREATE TABLE arrived (id int)");
  proxy.swallowAnswers();
  let answered = false;
  const answer = client.query("INSERT INTO arrived VALUES (1)").then(() => {
    answered = true;
  });
  await waitFor(async () => (await database().pool.query("SELECT 1 FROM arrived")).rowCount === 1, {
    message: "the row arrived",
  });
  expect(answered).toBe(false);
  await proxy.resume();
  await answer;
  await client.end();
  await proxy.close();
});

test("passes each byte once after any number of holds and resumes", async () => {
  const { proxy, connect } = await connectThroughProxy();
  const { client } = await connect();
  await database().pool.query("CREATE SEQUENCE statements");
  for (const hold of [proxy.swallowAnswers, proxy.pause, () => undefined]) {
    hold();
    await proxy.resume();
  }
  await client.query("SELECT nextval('statements')");
  const { rows } = await database().pool.query("SELECT last_value::int AS seen FROM statements");
  expect(rows).toEqual([{ seen: 1 }]);
  await client.end();
  await proxy.close();
});

test("refuses connections until resumed", async () => {
  const { proxy, connect } = await connectThroughProxy();
  await proxy.refuse();
  await expect(connect()).rejects.toThrow(/ECONNREFUSED/);
  await proxy.resume();
  const { client } = await connect();
  await client.end();
  await proxy.close();
});
