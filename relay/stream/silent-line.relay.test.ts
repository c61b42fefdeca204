import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RelayStream } from "#db/stores/port/relay/relay-stream.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { createRelayTable } from "#db/stores/postgres/relay/postgres-relay-table.ts";
import { MAPPING, makeTable, TABLE } from "#tests/outbox-table.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { openHarness, type RelayHarness } from "../testing/relay-harness.fixture.ts";
import { createStream, dropSlot } from "../testing/stream.fixture.ts";
import { StreamSource } from "./stream-source.ts";

let harness: RelayHarness;
let line: TcpProxy;
let tables: RelayTable[];
let source: StreamSource;
let slot: string;

/**
 * Only the replication connection uses the line, as if a firewall had dropped its state: all other connections work.
 */
beforeEach(async () => {
  harness = await openHarness("SELECT 1");
  const client = await harness.pool.connect();
  await makeTable(client);
  client.release();
  slot = await createStream(harness.pool, TABLE);
  const url = new URL(harness.databaseUrl);
  line = await startTcpProxy({ port: Number(url.port) });
  url.port = String(line.port);
  tables = [harness.databaseUrl, url.toString()].map((each) =>
    createRelayTable({
      outbox: "bench",
      mapping: MAPPING,
      url: each,
      ordering: "aggregate",
      maxAttempts: 10,
      relayId: "silent-line",
      sinkName: "memory",
      cdc: { slot, publication: slot, mark: "column" },
    }),
  );
  const [straight, overLine] = tables.map(({ stream }) => stream as RelayStream);
  if (!straight || !overLine) throw new Error("The tables have no streams.");
  source = new StreamSource({
    stream: { ...straight, open: (events) => overLine.open(events) },
    log: pino({ level: "silent" }),
    events: { notices: () => undefined, connected: () => undefined },
  });
});
afterEach(async () => {
  await line.resume();
  await source.stop();
  await line.close();
  for (const table of tables) await table.close();
  await dropSlot(harness.pool, slot);
  await harness.close();
});

const insert = () =>
  harness.pool.query(
    `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload) VALUES ('order', 'a', 'e', '{}')`,
  );

test("a silent connection is noticed and reported, and reading continues over a new one", async () => {
  source.start();
  await waitFor(() => source.connected, { message: "the log is read" });
  line.pause();
  await insert();
  await waitFor(() => !source.connected, { timeoutMs: 30_000, message: "the silence is noticed" });
  await waitFor(() => source.problem?.message.includes("has not answered"), { message: "and reported" });
  await line.resume();
  await waitFor(() => source.connected && source.queued === 1, {
    timeoutMs: 30_000,
    message: "what was committed meanwhile is noticed",
  });
  expect(source.problem).toBeNull();
});
