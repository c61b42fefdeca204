import { defineEvents } from "@outbox-console/client";
import { z } from "zod";

export const events = defineEvents({
  "order.placed": {
    version: 1,
    aggregate: "order",
    key: (payload) => payload.orderId,
    schema: z.object({ orderId: z.string(), total: z.number(), email: z.string() }),
    sensitive: ["email"],
  },
});

export interface Order {
  orderId: string;
  total: number;
  email: string;
}
