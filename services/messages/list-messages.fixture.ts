import { type MessageList, type MessageQuery, messageQuerySchema } from "#contracts/message/messages.ts";
import type { Runtime } from "../runtime.ts";
import { listMessages } from "./list-messages.ts";

/** A table `outbox` whose rows may lack a time, and that has no index but its key's. */
export const TABLE = `CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_type text NOT NULL, aggregate_id text NOT NULL, event_type text NOT NULL,
  payload jsonb NOT NULL, created_at timestamptz, published_at timestamptz)`;
export type Query = Partial<Record<keyof MessageQuery, string | number>>;

/** A page of the outbox `orders`. */
export function list(runtime: Runtime, query: Query): Promise<MessageList> {
  return listMessages({ runtime, outbox: "orders", query: messageQuerySchema.parse(query) });
}
