import { setTimeout as delay } from "node:timers/promises";
import { startControlServer } from "./control/control-server.ts";
import { openShopDatabase } from "./database/open-shop-database.ts";
import type { ShopDatabase } from "./database/shop-database.ts";
import { burst } from "./faults/burst.ts";
import { FaultBoard, type FaultName, type FaultSwitch } from "./faults/fault-board.ts";
import { RABBITMQ_FAULT_TEXTS } from "./faults/fault-texts.ts";
import { killRelay } from "./faults/kill-relay.ts";
import { lockRows } from "./faults/lock-rows.ts";
import { refuseEvents } from "./faults/refuse-events.ts";
import { analyticsConsumer } from "./gateway/analytics-consumer.ts";
import { Gateway } from "./gateway/gateway.ts";
import { loyaltyConsumer } from "./gateway/loyalty-consumer.ts";
import type { Answer } from "./gateway/receive-event.ts";
import { openConsumers } from "./rabbitmq/open-consumers.ts";
import { placeOrders } from "./shop/place-orders.ts";
import { registerCustomers } from "./shop/register-customers.ts";
import { ShopWriter } from "./shop/shop-writer.ts";
import { openStandingOrder } from "./shop/standing-order.ts";

const FIRST_CUSTOMERS = 200;
const SWEEP_EVERY_MS = 30_000;

export interface DemoOptions {
  /** URL of a Postgres, MySQL or MariaDB database; the scheme shows which. */
  databaseUrl: string;
  gatewayPort: number;
  controlPort: number;
  /** File in which `npm start` records its processes; without it the demo cannot kill the relay. */
  runFile?: string | undefined;
  /** If set, the events go to four consumers over RabbitMQ, and the gateway is idle. Postgres only. */
  rabbitmq?: { url: string; exchange?: string } | undefined;
  onTrouble: (error: unknown) => void;
}

export interface DemoHandle {
  gatewayPort: number;
  controlPort: number;
  faults: FaultBoard;
  writer: ShopWriter;
  stop(): Promise<void>;
}

/** Starts the shop's writer, the gateway with two consumers, and the fault switches. All faults are off. */
export async function startDemo(options: DemoOptions): Promise<DemoHandle> {
  const { onTrouble } = options;
  const database = await openShopDatabase({ url: options.databaseUrl, onTrouble });
  await database.createTables();
  await welcomeFirstCustomers(database);
  const standingOrderId = await openStandingOrder(database);

  const isActive = (name: FaultName): boolean => faults.isActive(name);
  const refuse = refuseEvents({ isActive, poisonedId: () => standingOrderId });
  const gateway = new Gateway({
    port: options.gatewayPort,
    consumers: [loyaltyConsumer(database), analyticsConsumer(database)],
    refuse,
  });
  const consumers = options.rabbitmq
    ? await openConsumers({
        ...options.rabbitmq,
        databaseUrl: options.databaseUrl,
        database,
        refuse: (message) => sentenceOf(refuse(message)),
        onTrouble,
      })
    : null;
  const destination = consumers ?? gateway;
  const writer = new ShopWriter({
    database,
    standingOrderId,
    instalmentCurrency: () => (isActive("poison-aggregate") ? "XBT" : "EUR"),
    onTrouble,
  });
  const relayKill = killRelay(options.runFile);
  await relayKill.clear();
  const nothing = async () => undefined;
  const switches: Record<FaultName, FaultSwitch> = {
    "gateway-down": { begin: () => destination.close(), end: () => destination.open() },
    "reject-type": { begin: nothing, end: nothing },
    "poison-aggregate": { begin: nothing, end: nothing },
    "relay-killed": relayKill,
    "lock-rows": lockRows(() => database.openReport()),
    burst: burst({
      placeOrders: async (count) => writer.noteOrders(await placeOrders(database, { count, random: Math.random })),
      onOver: () => faults.noteOver("burst"),
      onTrouble,
    }),
  };
  const faults = new FaultBoard(switches, consumers ? RABBITMQ_FAULT_TEXTS : undefined);
  const control = await startControlServer({
    port: options.controlPort,
    read: () => ({ faults: faults.list(), ordersPerSecond: writer.ordersPerSecond() }),
    setFault: (name, active) => faults.set(name, active),
    setRate: (rate) => writer.setRate(rate),
  });
  await gateway.open();
  consumers?.start();
  writer.start();
  const sweeping = sweepForEver(async () => {
    await database.sweepOldRows();
    await consumers?.sweepOldRows();
  }, onTrouble);

  return {
    gatewayPort: gateway.port,
    controlPort: control.port,
    faults,
    writer,
    stop: async () => {
      await control.close();
      await writer.stop();
      await sweeping.stop();
      await faults.endAll();
      await gateway.close();
      await consumers?.stop();
      await database.close();
    },
  };
}

/** Orders need customers. */
async function welcomeFirstCustomers(database: ShopDatabase): Promise<void> {
  if (!(await database.hasCustomers())) {
    await registerCustomers(database, { count: FIRST_CUSTOMERS, random: Math.random });
  }
}

function sentenceOf(answer: Answer | null): string | null {
  return answer === null ? null : String(answer.body);
}

function sweepForEver(sweep: () => Promise<void>, onTrouble: (error: unknown) => void): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await sweep().catch(onTrouble);
      await delay(SWEEP_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
