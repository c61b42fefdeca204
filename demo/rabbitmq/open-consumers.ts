import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "pg";
import { type AsyncMessage, Connection } from "rabbitmq-client";
import { fromRabbit } from "#client/messages/from-brokers.ts";
import type { ReceivedMessage } from "#client/messages/received-message.ts";
import type { ShopDatabase } from "../database/shop-database.ts";
import { type Effect, indexOrder, invalidateCache, sendNotification } from "./effects.ts";
import { CONSUMER_TABLES_SQL, consumerInbox, SWEEPS_SQL } from "./tables.ts";

/** As in outbox-rabbitmq.yaml. */
export const EXCHANGE = "outbox-console-demo";

/** RabbitMQ delivers a rejected message again at once. */
const PAUSE_AFTER_FAILURE_MS = 500;

export interface ConsumersOptions {
  /** `amqp://…` */
  url: string;
  databaseUrl: string;
  database: ShopDatabase;
  exchange?: string;
  /** Why the notification sender fails for a message; null lets it pass. Faults use this. */
  refuse: (message: ReceivedMessage) => string | null;
  onTrouble: (error: unknown) => void;
}

export interface ShopConsumers {
  /** Starts consuming from the queues. */
  start(): void;
  /** Deletes the exchange, without which the relay cannot publish; queues keep what they have. */
  close(): Promise<void>;
  /** Declares exchange, queues and bindings. */
  open(): Promise<void>;
  sweepOldRows(): Promise<void>;
  stop(): Promise<void>;
}

/** Four consumers, not yet started, each with its own inbox and its own queue on one fan-out exchange. */
export async function openConsumers(options: ConsumersOptions): Promise<ShopConsumers> {
  const { url, databaseUrl, onTrouble, exchange = EXCHANGE } = options;
  const pool = new Pool({ connectionString: databaseUrl, max: 12, application_name: "shop consumers" });
  pool.on("error", onTrouble);
  await pool.query(CONSUMER_TABLES_SQL);
  const connection = new Connection({ url, connectionName: "outbox-console-demo" });
  connection.on("error", onTrouble);
  const consumers = consumersOf(options, pool);
  const queueOf = (name: string) => `${exchange}.${name}`;
  // The queues are bound to a second exchange behind the one that is deleted and declared again. Bound to the first, an
  // event between two bindings would miss a consumer.
  const behind = `${exchange}.queues`;
  const open = async () => {
    await connection.exchangeDeclare({ exchange: behind, type: "fanout", durable: true });
    for (const name of Object.keys(consumers)) {
      await connection.queueDeclare({ queue: queueOf(name), durable: true });
      await connection.queueBind({ exchange: behind, queue: queueOf(name) });
    }
    const toQueues = { "alternate-exchange": behind };
    await connection.exchangeDeclare({ exchange, type: "fanout", durable: true, arguments: toQueues });
  };
  await open();
  const running = Object.entries(consumers).map(([name, consume]) => {
    const work = async (message: AsyncMessage) => {
      try {
        await consume(fromRabbit(message));
      } catch (error) {
        await delay(PAUSE_AFTER_FAILURE_MS);
        throw error;
      }
    };
    const how = { queueOptions: { durable: true }, qos: { prefetchCount: 8 }, requeue: true, lazy: true };
    const consumer = connection.createConsumer({ queue: queueOf(name), ...how }, work);
    consumer.on("error", onTrouble);
    return consumer;
  });
  return {
    start: () => {
      for (const consumer of running) consumer.start();
    },
    open,
    close: async () => void (await connection.exchangeDelete({ exchange })),
    sweepOldRows: async () => {
      for (const sql of SWEEPS_SQL) await pool.query(sql);
    },
    stop: async () => {
      await Promise.all(running.map((consumer) => consumer.close()));
      await connection.close();
      await pool.end();
    },
  };
}

type Consume = (message: ReceivedMessage) => Promise<unknown>;

/** Rejecting makes the broker deliver the message again. Every outcome of `once` here may be acknowledged. */
function consumersOf({ database, refuse }: ConsumersOptions, pool: Pool): Record<string, Consume> {
  const once = (consumer: string, effect: Effect): Consume => {
    const inbox = consumerInbox(consumer);
    return (message) => inbox.once(pool, message, effect);
  };
  return {
    search: once("search", indexOrder),
    cache: once("cache", invalidateCache),
    notifications: once("notifications", async (tx, event) => {
      const refusal = refuse(event);
      if (refusal !== null) throw new Error(refusal);
      await sendNotification(tx, event);
    }),
    // The client of RabbitMQ has parsed the payload; its numbers are large enough for sums of money.
    analytics: (message) => database.addRevenue({ ...message, text: message.text ?? JSON.stringify(message.payload) }),
  };
}
