import "reflect-metadata";
import { OnEvent, type OutboxEvent, OutboxModule, TransactionalEventEmitter } from "@fullstackhouse/nestjs-outbox";
import {
  OutboxTransportEventMigrations,
  TypeORMDatabaseDriverFactory,
  TypeOrmOutboxTransportEvent,
} from "@fullstackhouse/nestjs-outbox-typeorm-driver";
import { NestFactory } from "@nestjs/core";
import { DataSource } from "typeorm";
import { afterEach, expect, test } from "vitest";
import { targetedRequestSchema } from "#contracts/message/operations.ts";
import { ADMIN, contextOf, openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { getMessage } from "../messages/get-message.ts";
import { listMessages } from "../messages/list-messages.ts";
import { performOperation } from "../operations/perform-operation.ts";
import type { Runtime } from "../runtime.ts";

const database = testDatabase("migrated");
let runtime: Runtime;
afterEach(() => runtime.close());

test("nestjs-outbox takes a message again after our retry, and leaves it after our dead-letter", async () => {
  const library = await startLibrary();
  try {
    runtime = openOperatedRuntime(database().url, "public.outbox_transport_event");
    library.refuses = true;
    for (const order of ["retried", "left"]) await library.add(new OrderPlaced(order));
    await library.add(new OrderHeld("held"));
    await waitFor(async () => (await idsOf("dead")).length === 2, { message: "the library has given two up" });
    await waitFor(async () => (await idsOf("failed")).length === 1, { message: "the library has put one off" });
    const [retried = "", left = ""] = (await idsOf("dead")).toSorted();
    const [held = ""] = await idsOf("failed");
    await act("dead-letter", held);
    library.refuses = false;
    await act("retry", retried);
    await waitFor(() => library.handled.includes("retried"), { message: "the library has taken the retried message" });
    expect((await idsOf("dead")).toSorted()).toEqual([left, held]);
    await act("retry", held);
    await waitFor(() => library.handled.includes("held"), { message: "the library has taken the dead letter" });
    expect(library.handled).toEqual(["retried", "held"]);
    expect(await idsOf("dead")).toEqual([left]);
  } finally {
    await library.stop();
  }
});

async function idsOf(state: "dead" | "failed"): Promise<string[]> {
  const { messages } = await listMessages({ runtime, outbox: "orders", query: { state, limit: 10 } });
  return messages.map(({ id }) => id);
}

async function act(action: string, id: string): Promise<void> {
  const { message } = await getMessage({ runtime, outbox: "orders", id });
  const targets = [{ id, version: message.version }];
  const request = targetedRequestSchema.parse({ action, targets, reason: "tried with the library itself" });
  const input = { ctx: contextOf(runtime, ADMIN), outbox: "orders", request, idempotencyKey: null };
  expect((await performOperation(input)).done).toBe(1);
}

/** The library in its own application: it creates its table, writes rows, and gives one up after two attempts. */
async function startLibrary() {
  const source = new DataSource({
    type: "postgres",
    url: database().url,
    entities: [TypeOrmOutboxTransportEvent],
  });
  await source.initialize();
  // TypeORM refuses one of the library's migrations for the digits of its name, so each is run by hand.
  const runner = source.createQueryRunner();
  for (const Migration of OutboxTransportEventMigrations) await new Migration().up(runner);
  await runner.release();
  const library = {
    refuses: false,
    handled: [] as string[],
    add: async (event: OrderPlaced | OrderHeld) => void (await emitter.emit(event, [])),
    stop: async () => {
      await app.close();
      await source.destroy();
    },
  };
  class OrderListener {
    async placed({ order }: OrderPlaced): Promise<void> {
      if (library.refuses) throw new Error("the broker refuses");
      library.handled.push(order);
    }
    held(event: OrderHeld): Promise<void> {
      return this.placed(event);
    }
  }
  OnEvent(OrderPlaced.name)(OrderListener.prototype, "placed", {});
  OnEvent(OrderHeld.name)(OrderListener.prototype, "held", {});
  const listeners = { retentionPeriod: 60_000, maxExecutionTime: 5_000, maxRetries: 1 };
  const outbox = OutboxModule.registerAsync({
    imports: [],
    enableDefaultMiddlewares: false,
    useFactory: () => ({
      driverFactory: new TypeORMDatabaseDriverFactory(source),
      events: [
        { name: OrderPlaced.name, listeners: { ...listeners, retryStrategy: () => 10 } },
        { name: OrderHeld.name, listeners: { ...listeners, retryStrategy: () => 600_000 } },
      ],
      pollingInterval: 20,
      maxEventsPerPoll: 10,
    }),
  });
  class App {}
  const root = { module: App, imports: [outbox], providers: [OrderListener] };
  const app = await NestFactory.createApplicationContext(root, { logger: false });
  const emitter = app.get(TransactionalEventEmitter);
  return library;
}

class OrderPlaced implements OutboxEvent {
  readonly name = OrderPlaced.name;
  readonly order: string;
  constructor(order: string) {
    this.order = order;
  }
}

/** The library puts a second attempt off for ten minutes. */
class OrderHeld extends OrderPlaced {
  override readonly name = OrderHeld.name;
}
