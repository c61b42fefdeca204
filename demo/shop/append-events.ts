import { randomBytes } from "node:crypto";
import type { ShopTransaction } from "../database/shop-database.ts";
import { type ShopEvent, shopEvents } from "./shop-events.ts";

/** Writes events to the outbox inside the caller's transaction: this is the pattern. */
export async function appendEvents(
  db: Pick<ShopTransaction, "insertEvents">,
  events: readonly ShopEvent[],
): Promise<void> {
  await db.insertEvents(events.map(withHeaders));
}

function withHeaders([type, payload]: ShopEvent): ShopEvent {
  const headers = { source: "shop", schema: `${type}/${shopEvents.definitions[type].version}` };
  return [type, payload, { headers }] as ShopEvent;
}

/** A separate trace for each event, as if each came from its own request. */
export const newTrace = () => ({
  traceparent: `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`,
});
