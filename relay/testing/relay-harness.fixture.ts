import type { Pool } from "pg";
import { pino } from "pino";
import type { Runtime } from "#services/runtime.ts";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type StartedRelays, startRelays } from "../start-relays.ts";
import { type Delivery, OUTBOX_DDL, openRelayRuntime, type RelayYaml, unsentCount } from "./outbox.fixture.ts";

export interface RelayHarness {
  pool: Pool;
  databaseUrl: string;
  receiver: HttpReceiver;
  /** Starts the relays of this process over the database; `settings` as in RelayYaml. */
  start(settings?: Partial<RelayYaml>): Promise<void>;
  stop(): Promise<void>;
  /** Log lines of its relays, warnings or worse. */
  logged(): string;
  deliveries(): Delivery[];
  waitUntilSent(timeoutMs?: number): Promise<void>;
  scalar(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

/** A database with an outbox, a receiver, and relays to start between them. */
export async function openHarness(ddl: string = OUTBOX_DDL): Promise<RelayHarness> {
  const database = await createTestDatabase();
  const receiver = await startHttpReceiver();
  await database.pool.query(ddl);
  let runtime: Runtime | undefined;
  let relays: StartedRelays | undefined;
  let logged = "";

  const harness: RelayHarness = {
    pool: database.pool,
    databaseUrl: database.url,
    receiver,
    async start(settings = {}) {
      runtime = openRelayRuntime({ databaseUrl: database.url, sinkUrl: `${receiver.url}/events`, ...settings });
      const write = (line: string) => {
        logged += line;
        if (process.env.RELAY_TEST_LOG) process.stderr.write(line);
      };
      const log = pino({ level: process.env.RELAY_TEST_LOG ?? "info" }, { write });
      relays = await startRelays({ runtime, signal: new AbortController().signal, log });
    },
    async stop() {
      await relays?.stop();
      await runtime?.close();
      relays = undefined;
      runtime = undefined;
    },
    logged: () => logged,
    deliveries: () => receiver.requests.map((request) => JSON.parse(request.body.toString("utf8"))),
    async waitUntilSent(timeoutMs) {
      await waitFor(async () => (await unsentCount(database.pool)) === 0, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        message: "all are marked",
      });
    },
    async scalar(sql) {
      const { rows } = await database.pool.query({ text: sql, rowMode: "array" });
      return rows[0]?.[0];
    },
    async close() {
      await harness.stop();
      await receiver.close();
      await database.dropByForce();
    },
  };
  return harness;
}
