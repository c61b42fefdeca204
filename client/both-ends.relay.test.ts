import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRelays } from "../relay/start-relays.ts";
import { parseConfig } from "../services/config/load-config.ts";
import { openRuntime } from "../services/runtime.ts";
import { testDatabase } from "../tests/postgres.ts";
import { waitFor } from "../tests/wait-for.ts";
import { pg } from "./adapters/pg.ts";
import { createInbox } from "./inbox/create-inbox.ts";
import { fromHttpBatch } from "./messages/from-http.ts";
import { createOutbox } from "./outbox/create-outbox.ts";
import { contractEvents, contractPayload } from "./testing/contract-events.ts";
import { createTables } from "./testing/tables.fixture.ts";

const SECRET = "whsec_Ym90aCBlbmRzIG9mIHRoZSB3aXJl";
const ORDERS = 60;

const database = testDatabase();
const via = pg();
const outbox = createOutbox(contractEvents, { via });
const inbox = createInbox(contractEvents, { via, consumer: "billing" });
let receiver: Server;

/** A typical consumer of a service. Every fifth answer is lost after the request was processed. */
beforeAll(async () => {
  await createTables(database().pool);
  await database().pool.query("CREATE TABLE effects (id text NOT NULL, note text NOT NULL, at bigserial)");
  let answers = 0;
  receiver = createServer(async (request, response) => {
    const body = await buffer(request);
    for (const message of fromHttpBatch({ headers: request.headers, body }, { secret: SECRET }))
      await inbox.once(database().pool, message, async (tx, { id, payload }) => {
        await tx.query("INSERT INTO effects (id, note) VALUES ($1, $2)", [id, `${payload.key}:${payload.note}`]);
      });
    answers += 1;
    if (answers % 5 === 0) response.destroy();
    else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});
afterAll(() => receiver.close());

test("what is added is sent by the relay and processed once, in the order of its aggregate", async () => {
  const yaml = `
stores: { shop: { kind: postgres, url: "${database().url}" } }
outboxes:
  orders: { store: shop, table: public.outbox, mode: relay, relay: { sink: out, retry: { initial: 10ms, max: 50ms } } }
sinks: { out: { kind: http, url: "http://127.0.0.1:${(receiver.address() as AddressInfo).port}", secret: "${SECRET}", batch: 8 } }`;
  const runtime = openRuntime({ config: parseConfig(yaml, {}, "test"), applicationName: "both ends", env: {} });
  const relays = await startRelays({ runtime, signal: new AbortController().signal, log: pino({ level: "silent" }) });
  try {
    for (let n = 0; n < ORDERS; n += 1)
      await via.transaction(database().pool, (tx) =>
        outbox.add(tx, "contract.checked", contractPayload(`a${n % 3}`, String(n))),
      );
    const count = async () =>
      (await database().pool.query("SELECT count(*)::int AS n FROM outbox WHERE published_at IS NULL")).rows[0]?.n;
    await waitFor(async () => (await count()) === 0, { message: "everything is published" });
  } finally {
    await relays.stop();
    await runtime.close();
  }
  const { rows } = await database().pool.query<{ note: string }>("SELECT note FROM effects ORDER BY at");
  expect(rows).toHaveLength(ORDERS);
  for (const key of ["a0", "a1", "a2"]) {
    const notes = rows.map(({ note }) => note).filter((note) => note.startsWith(`${key}:`));
    expect(notes).toEqual(notes.toSorted((one, other) => Number(one.slice(3)) - Number(other.slice(3))));
  }
});
