import { parseConfig } from "#services/config/load-config.ts";
import { planOfOutbox } from "#services/connect/plan-of-outbox.ts";
import { migrateStore } from "#services/migrate/auto-migrate.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import type { ConnectProcess } from "#tests/connect/connect-process.ts";
import type { MysqlFlavor } from "#tests/mysql-servers/server-program.ts";
import { type ChangedStore, openMysql } from "./changed-store.ts";
import { createTopics, type Publisher, type Ways, waysOf } from "./connect-world.fixture.ts";

/** A separate MySQL or MariaDB, a shared Kafka and Kafka Connect, and both ways to publish its outbox. */
export interface MysqlWorld extends Ways, Pick<ChangedStore, "outbox" | "unsent"> {
  /** Of the outbox. */
  name: string;
  aggregateType: string;
  topic: string;
  runtime(publisher: Publisher): Promise<Runtime>;
  /** Does the requests that `--from-relay` has printed. */
  createConnector(said: string): Promise<void>;
  /** With its offsets. */
  removeConnector(): Promise<void>;
  close(): Promise<void>;
}

/** MySQL as it comes. Tests of the commands alone have transactions with numbers. */
export async function openMysqlWorld(
  flavor: MysqlFlavor,
  brokers: string[],
  { connect, password }: { connect: ConnectProcess; password: string },
): Promise<MysqlWorld> {
  const store = await openMysql(flavor);
  const outbox = `invoices-${flavor}`;
  const connector = `${outbox}-connector`;
  const aggregateType = uniqueName("invoice");
  const topic = `outbox.event.${aggregateType}`;
  await createTopics(brokers, [topic, `__debezium-heartbeat.${connector}`]);
  const configOf = (publisher: Publisher) =>
    parseConfig(yamlOf(publisher, { outbox, store, brokers, connect }), {}, "test");
  await migrateStore(configOf("relay"), "default");
  const open = new Set<Runtime>();
  const runtime = async (publisher: Publisher) => {
    const opened = openRuntime({ config: configOf(publisher), applicationName: "change-over", env: {} });
    open.add(opened);
    return opened;
  };
  const plan = async () => planOfOutbox({ runtime: await runtime("relay"), outbox });
  // The preparation of an operator: runs the statements that the command prints, with a password.
  await store.prepare((await plan()).preparation, password);
  return {
    ...{ outbox: store.outbox, unsent: store.unsent, name: outbox, aggregateType, topic, runtime },
    ...waysOf(runtime, outbox),
    async createConnector(said) {
      const json = JSON.stringify((await plan()).body.json);
      await store.createConnector({ connect, name: connector, brokers, json, said });
    },
    removeConnector: () => store.removeConnector(connect, connector),
    async close() {
      await Promise.all([...open].map((one) => one.close()));
      await store.close();
    },
  };
}

function yamlOf(
  publisher: Publisher,
  {
    outbox,
    store,
    brokers,
    connect,
  }: { outbox: string; store: ChangedStore; brokers: string[]; connect: ConnectProcess },
): string {
  const lines = {
    relay: "mode: relay\n    relay: { sink: kafka, lease: 2s, route: { preset: debezium } }",
    connector: `mode: operate\n    relay: { source: debezium, connect: "${connect.url}", connector: ${outbox}-connector }`,
  };
  return `stores: { default: ${store.yaml} }
sinks: { kafka: { kind: kafka, brokers: ["${brokers.join('", "')}"] } }
outboxes:
  ${outbox}:
    table: ${store.table}
    ${lines[publisher]}
`;
}
