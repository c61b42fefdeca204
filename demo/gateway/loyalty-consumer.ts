import type { ShopDatabase } from "../database/shop-database.ts";
import type { Consumer } from "./consumer.ts";

export function loyaltyConsumer(database: ShopDatabase): Consumer {
  return { name: "loyalty", consume: (message) => database.earnPoints(message) };
}
