import type { ShopDatabase } from "../database/shop-database.ts";
import { appendEvents } from "./append-events.ts";
import { inventCustomer, type Random } from "./catalogue.ts";
import { customerRegistered } from "./event-payloads.ts";

/** Registers customers and writes their events, in one transaction. Returns the number of events written. */
export async function registerCustomers(
  database: ShopDatabase,
  { count, random }: { count: number; random: Random },
): Promise<number> {
  const invented = Array.from({ length: count }, () => inventCustomer(random));
  return database.transaction(async (db) => {
    const customers = await db.insertCustomers(invented);
    await appendEvents(
      db,
      customers.map((customer) => ["customer.registered", customerRegistered(customer)]),
    );
    return customers.length;
  });
}
