import { expect, test } from "vitest";
import { z } from "zod";
import { testDatabase } from "../../tests/postgres.ts";
import { pg } from "../adapters/pg.ts";
import { defineEvents } from "../events/define-events.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { testOutbox } from "./test-outbox.ts";

const database = testDatabase("empty");

test("a value that JSON writes in another form is expected as it was given", async () => {
  const events = defineEvents({
    "order.dated": {
      version: 1,
      aggregate: "order",
      schema: z.object({ at: z.coerce.date(), tags: z.array(z.string()).optional() }),
    },
  });
  const { pool } = database();
  const outbox = createOutbox(events, { via: pg() });
  await pool.query(outbox.schema());
  const at = new Date(0);
  await pg().transaction(pool, (tx) => outbox.add(tx, "order.dated", { at, tags: ["a"] }));
  const added = testOutbox(outbox, pool);
  expect((await added.expectAdded("order.dated", { at })).payload).toEqual({ at: at.toISOString(), tags: ["a"] });
  await added.expectAdded("order.dated", { tags: ["a"] });
  await expect(added.expectAdded("order.dated", { at: new Date(1) })).rejects.toThrow(/0 events are order\.dated with/);
});
