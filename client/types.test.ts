import { sql } from "drizzle-orm";
import { drizzle as openDrizzle } from "drizzle-orm/node-postgres";
import type { Kysely } from "kysely";
import { expect, test } from "vitest";
import { z } from "zod";
import { drizzle } from "./adapters/drizzle.ts";
import { knex } from "./adapters/knex.ts";
import { kysely } from "./adapters/kysely.ts";
import { pg } from "./adapters/pg.ts";
import { postgresJs } from "./adapters/postgres-js.ts";
import { sequelize } from "./adapters/sequelize.ts";
import { typeorm } from "./adapters/typeorm.ts";
import { defineEvents } from "./events/define-events.ts";
import { createInbox } from "./inbox/create-inbox.ts";
import { createOutbox } from "./outbox/create-outbox.ts";
import type { Adapter } from "./sql/adapter.ts";

const db = openDrizzle.mock();
interface Database {
  orders: { id: string };
}
const events = defineEvents({
  placed: { version: 1, aggregate: "order", key: ({ id }) => id, schema: z.object({ id: z.string() }) },
  counted: { version: 1, aggregate: "order", schema: z.object({ n: z.number() }) },
});

type IsAny<T> = 0 extends 1 & T ? true : false;
const neverAny = <Tx, Db>(_: () => Adapter<Tx, Db>, isAny: [IsAny<Tx>, IsAny<Db>]) => isAny;

test("no adapter takes any handle at all", () => {
  const found = [
    neverAny(() => pg(), [false, false]),
    neverAny(() => postgresJs(), [false, false]),
    neverAny(() => drizzle(sql), [false, false]),
    neverAny(() => drizzle<typeof db>(sql), [false, false]),
    neverAny(() => kysely(), [false, false]),
    neverAny(() => kysely<Kysely<Database>>(), [false, false]),
    neverAny(() => knex(), [false, false]),
    neverAny(() => typeorm(), [false, false]),
    neverAny(() => sequelize(), [false, false]),
  ];
  expect(new Set(found.flat())).toEqual(new Set([false]));
});

/** Compiled and never run. */
export function compiled(): void {
  const outbox = createOutbox(events, { via: drizzle<typeof db>(sql) });
  void db.transaction(async (tx) => {
    await outbox.add(tx, "placed", { id: "a" });
    await outbox.add(tx, [
      ["placed", { id: "a" }],
      ["counted", { n: 1 }],
    ]);
    // @ts-expect-error the root is no transaction
    await outbox.add(db, "placed", { id: "a" });
    // @ts-expect-error no such type
    await outbox.add(tx, "shipped", { id: "a" });
    // @ts-expect-error another payload
    await outbox.add(tx, "placed", { id: 7 });
    // @ts-expect-error the payload of another type
    await outbox.add(tx, [["placed", { n: 1 }]]);
    // @ts-expect-error no such option
    await outbox.add(tx, "placed", { id: "a" }, { delayMs: 1 });
    // @ts-expect-error drizzle(sql) does not say whose transaction
    await createOutbox(events, { via: drizzle(sql) }).add(tx, "placed", { id: "a" });
  });
  const other = null as unknown as Kysely<Database>;
  const ofRoot = createOutbox(events, { via: kysely<typeof other>() });
  const ofTables = createOutbox(events, { via: kysely<Database>() });
  void other.transaction().execute(async (trx) => {
    await ofRoot.add(trx, "placed", { id: "a" });
    await ofTables.add(trx, "placed", { id: "a" });
    // @ts-expect-error the root is no transaction
    await ofRoot.add(other, "placed", { id: "a" });
    // @ts-expect-error the root is no transaction
    await ofTables.add(other, "placed", { id: "a" });
  });
  const inbox = createInbox(events, { via: drizzle<typeof db>(sql), consumer: "billing" });
  void inbox.once(db, null as never, async (_tx, event) => {
    if (event.type === "placed") return event.payload.id;
    // @ts-expect-error the payload of another type
    return event.payload.id;
  });
}
