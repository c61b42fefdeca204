import type { Pool } from "pg";
import { inTransaction } from "../in-transaction.ts";
import { appendEvents } from "./append-events.ts";
import { inventCustomer, type Random } from "./catalogue.ts";
import { customerRegistered } from "./event-payloads.ts";

interface CustomerRow {
  id: string;
  name: string;
  email: string;
  locale: string;
}

/** Registers customers and writes their events, in one transaction. Returns the number of events written. */
export async function registerCustomers(pool: Pool, { count, random }: { count: number; random: Random }) {
  const invented = Array.from({ length: count }, () => inventCustomer(random));
  return inTransaction(pool, async (db) => {
    const { rows } = await db.query<CustomerRow>(
      `INSERT INTO shop.customers (name, email, locale)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) RETURNING id, name, email, locale`,
      [invented.map((one) => one.name), invented.map((one) => one.email), invented.map((one) => one.locale)],
    );
    await appendEvents(
      db,
      rows.map((customer) => ({
        aggregateType: "customer" as const,
        aggregateId: customer.id,
        eventType: "customer.registered" as const,
        payload: customerRegistered(customer),
      })),
    );
    return rows.length;
  });
}
