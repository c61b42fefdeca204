import type { ShopDatabase } from "../database/shop-database.ts";
import type { Consumer } from "./consumer.ts";

export function analyticsConsumer(database: ShopDatabase): Consumer {
  return { name: "analytics", consume: (message) => database.addRevenue(message) };
}
