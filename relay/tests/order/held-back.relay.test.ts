import pg from "pg";
import { afterEach, beforeEach, test } from "vitest";
import { addPending, INSERT_ONE, makeTable, payloadOf } from "#tests/outbox-table.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { startWatchedRelay, type WatchedRelay } from "../../testing/watched-relay.fixture.ts";

const PEEK = /^peek/;
const ID = "00000000-0000-4000-8000-000000000001";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
let writer: pg.Client;
let watched: WatchedRelay | undefined;

beforeEach(async () => {
  database = await createTestDatabase();
  [client, writer] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([client.connect(), writer.connect()]);
});
afterEach(async () => {
  await watched?.stop();
  watched = undefined;
  await Promise.all([client.end(), writer.end()]);
  await database.dropByForce();
});

test("what a long transaction held back is passed once it ends, although nothing new comes", async () => {
  await makeTable(client);
  await writer.query("BEGIN");
  await writer.query(INSERT_ONE, [ID, "slow", payloadOf(1)]);
  await addPending(client, 10);
  const relay = await startWatchedRelay({ url: database.url });
  watched = relay;
  const peeks = () => [...relay.asked].filter(([name]) => PEEK.test(name)).map(([, asked]) => asked);
  await waitFor(() => peeks().length > 0, { message: "it only peeks at the table" });
  await writer.query("ROLLBACK");
  // A peek begins at the watermark, its fifth parameter, which is null at the start of the table.
  await waitFor(() => peeks().some(({ values }) => values[4] !== null), {
    message: "the watermark is behind the rows",
  });
});
