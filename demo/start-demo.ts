import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "pg";
import { startControlServer } from "./control/control-server.ts";
import { createTables } from "./create-tables.ts";
import { burst } from "./faults/burst.ts";
import { FaultBoard, type FaultName } from "./faults/fault-board.ts";
import { killRelay } from "./faults/kill-relay.ts";
import { lockRows } from "./faults/lock-rows.ts";
import { refuseEvents } from "./faults/refuse-events.ts";
import { analyticsConsumer } from "./gateway/analytics-consumer.ts";
import { Gateway } from "./gateway/gateway.ts";
import { loyaltyConsumer } from "./gateway/loyalty-consumer.ts";
import { sweepOldRows } from "./shop/housekeeping.ts";
import { placeOrders } from "./shop/place-orders.ts";
import { registerCustomers } from "./shop/register-customers.ts";
import { ShopWriter } from "./shop/shop-writer.ts";
import { openStandingOrder } from "./shop/standing-order.ts";

const FIRST_CUSTOMERS = 200;
const SWEEP_EVERY_MS = 30_000;

export interface DemoOptions {
  databaseUrl: string;
  gatewayPort: number;
  controlPort: number;
  /** File in which `npm start` records its processes; without it the demo cannot kill the relay. */
  runFile?: string | undefined;
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
  const shopPool = openPool(options.databaseUrl, "shop", 8, onTrouble);
  const consumerPool = openPool(options.databaseUrl, "shop consumers", 16, onTrouble);
  await createTables(shopPool);
  await welcomeFirstCustomers(shopPool);
  const standingOrderId = await openStandingOrder(shopPool);

  const isActive = (name: FaultName): boolean => faults.isActive(name);
  const gateway = new Gateway({
    port: options.gatewayPort,
    consumers: [loyaltyConsumer(consumerPool), analyticsConsumer(consumerPool)],
    refuse: refuseEvents({ isActive, poisonedId: () => standingOrderId }),
  });
  const writer = new ShopWriter({
    pool: shopPool,
    standingOrderId,
    instalmentCurrency: () => (isActive("poison-aggregate") ? "XBT" : "EUR"),
    onTrouble,
  });
  const relayKill = killRelay(options.runFile);
  await relayKill.clear();
  const nothing = async () => undefined;
  const faults = new FaultBoard({
    "gateway-down": { begin: () => gateway.close(), end: () => gateway.open() },
    "reject-type": { begin: nothing, end: nothing },
    "poison-aggregate": { begin: nothing, end: nothing },
    "relay-killed": relayKill,
    "lock-rows": lockRows(options.databaseUrl),
    burst: burst({
      placeOrders: async (count) => writer.noteOrders(await placeOrders(shopPool, { count, random: Math.random })),
      onOver: () => faults.noteOver("burst"),
      onTrouble,
    }),
  });
  const control = await startControlServer({
    port: options.controlPort,
    read: () => ({ faults: faults.list(), ordersPerSecond: writer.ordersPerSecond() }),
    setFault: (name, active) => faults.set(name, active),
    setRate: (rate) => writer.setRate(rate),
  });
  await gateway.open();
  writer.start();
  const sweeping = sweepForEver(shopPool, onTrouble);

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
      await Promise.all([shopPool.end(), consumerPool.end()]);
    },
  };
}

function openPool(url: string, name: string, max: number, onTrouble: (error: unknown) => void): Pool {
  const pool = new Pool({ connectionString: url, max, application_name: name, connectionTimeoutMillis: 5_000 });
  pool.on("error", onTrouble);
  return pool;
}

/** Orders need customers. */
async function welcomeFirstCustomers(pool: Pool): Promise<void> {
  const { rows } = await pool.query("SELECT 1 FROM shop.customers LIMIT 1");
  if (rows.length === 0) await registerCustomers(pool, { count: FIRST_CUSTOMERS, random: Math.random });
}

function sweepForEver(pool: Pool, onTrouble: (error: unknown) => void): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await sweepOldRows(pool).catch(onTrouble);
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
