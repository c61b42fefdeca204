import { randomBytes } from "node:crypto";
import type { ShopTransaction } from "../database/shop-database.ts";
import type { ShopEvent } from "./shop-event.ts";

/** Writes events to the outbox inside the caller's transaction: this is the pattern. */
export async function appendEvents(
  db: Pick<ShopTransaction, "insertEvents">,
  events: readonly ShopEvent[],
): Promise<void> {
  await db.insertEvents(events.map((event) => ({ ...event, headers: headersOf(event) })));
}

function headersOf(event: ShopEvent): string {
  const traceparent = `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`;
  return JSON.stringify({ source: "shop", schema: `${event.eventType}/2`, traceparent });
}
