import { parseConfig } from "#services/config/load-config.ts";
import { planOfOutbox } from "#services/connect/plan-of-outbox.ts";
import { migrateStore } from "#services/migrate/auto-migrate.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import type { ConnectProcess } from "#tests/connect/connect-process.ts";
import { type ChangedStore, openMysql } from "./changed-store.ts";
import { createTopics, type Publisher, type Ways, waysOf } from "./connect-world.fixture.ts";

const OUTBOX = "invoices";
const CONNECTOR = `${OUTBOX}-connector`;

/** A separate MySQL, a shared Kafka and Kafka Connect, and both ways to publish the outbox `invoices`. */
export interface MysqlWorld extends Ways, Pick<ChangedStore, "outbox" | "unsent"> {
  aggregateType: string;
  topic: string;
  /** Does the requests that `--from-relay` has printed. */
  createConnector(said: string): Promise<void>;
  /** With its offsets. */
  removeConnector(): Promise<void>;
  close(): Promise<void>;
}

export async function openMysqlWorld(
  brokers: string[],
  { connect, password }: { connect: ConnectProcess; password: string },
): Promise<MysqlWorld> {
  // As MySQL comes. Tests of the commands alone have transactions with numbers.
  const store = await openMysql({ numbered: false });
  const aggregateType = uniqueName("invoice");
  const topic = `outbox.event.${aggregateType}`;
  await createTopics(brokers, [topic, `__debezium-heartbeat.${CONNECTOR}`]);
  const configOf = (publisher: Publisher) => parseConfig(yamlOf(publisher, { store, brokers, connect }), {}, "test");
  await migrateStore(configOf("relay"), "default");
  const open = new Set<Runtime>();
  const runtime = async (publisher: Publisher) => {
    const opened = openRuntime({ config: configOf(publisher), applicationName: "change-over", env: {} });
    open.add(opened);
    return opened;
  };
  const plan = async () => planOfOutbox({ runtime: await runtime("relay"), outbox: OUTBOX });
  // The preparation of an operator: runs the statements that the command prints, with a password.
  await store.prepare((await plan()).preparation, password);
  return {
    ...{ outbox: store.outbox, unsent: store.unsent, aggregateType, topic },
    ...waysOf(runtime, OUTBOX),
    async createConnector(said) {
      const json = JSON.stringify((await plan()).body.json);
      await store.createConnector({ connect, name: CONNECTOR, brokers, json, said });
    },
    removeConnector: () => store.removeConnector(connect, CONNECTOR),
    async close() {
      await Promise.all([...open].map((one) => one.close()));
      await store.close();
    },
  };
}

function yamlOf(
  publisher: Publisher,
  { store, brokers, connect }: { store: ChangedStore; brokers: string[]; connect: ConnectProcess },
): string {
  const lines = {
    relay: "mode: relay\n    relay: { sink: kafka, lease: 2s, route: { preset: debezium } }",
    connector: `mode: operate\n    relay: { source: debezium, connect: "${connect.url}", connector: ${CONNECTOR} }`,
  };
  return `stores: { default: ${store.yaml} }
sinks: { kafka: { kind: kafka, brokers: ["${brokers.join('", "')}"] } }
outboxes:
  ${OUTBOX}:
    table: ${store.table}
    ${lines[publisher]}
`;
}
