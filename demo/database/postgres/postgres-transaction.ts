import type { PoolClient } from "pg";
import { pg } from "#client/adapters/pg.ts";
import { createOutbox } from "#client/outbox/create-outbox.ts";
import { newTrace } from "../../shop/append-events.ts";
import type { OrderLine } from "../../shop/catalogue.ts";
import type { OrderFacts } from "../../shop/event-payloads.ts";
import { type ShopEvent, shopEvents } from "../../shop/shop-events.ts";
import { OUTBOX_COLUMNS } from "../outbox-columns.ts";
import type {
  Customer,
  CustomerDraft,
  OrderDraft,
  OrderStatus,
  PlacedLine,
  ShopTransaction,
} from "../shop-database.ts";

const ORDER_FACTS = `id, number::text, customer_id AS "customerId", currency, total::text`;

const outbox = createOutbox(shopEvents, {
  via: pg(),
  table: "shop.outbox_events",
  columns: OUTBOX_COLUMNS,
  trace: newTrace,
});

export class PostgresTransaction implements ShopTransaction {
  readonly #db: PoolClient;

  constructor(db: PoolClient) {
    this.#db = db;
  }

  async insertCustomers(customers: readonly CustomerDraft[]): Promise<Customer[]> {
    const { rows } = await this.#db.query<Customer>(
      `INSERT INTO shop.customers (name, email, locale)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) RETURNING id, name, email, locale`,
      [customers.map((one) => one.name), customers.map((one) => one.email), customers.map((one) => one.locale)],
    );
    return rows;
  }

  async pickCustomers(places: readonly number[]): Promise<string[]> {
    const { rows } = await this.#db.query<{ id: string }>(
      `SELECT (SELECT id FROM shop.customers WHERE number >= low + floor(place * (high - low + 1)) ORDER BY number LIMIT 1) AS id
       FROM (SELECT min(number) AS low, max(number) AS high FROM shop.customers) span, unnest($1::float8[]) place`,
      [places],
    );
    return rows.map((row) => row.id);
  }

  async insertOrders(drafts: readonly OrderDraft[]): Promise<OrderFacts[]> {
    const { rows } = await this.#db.query<OrderFacts>(
      `INSERT INTO shop.orders (customer_id, status, currency, total)
       SELECT customer_id, status, currency, total
       FROM unnest($1::text[], $2::text[], $3::text[], $4::numeric[])
         WITH ORDINALITY AS draft (customer_id, status, currency, total, position)
       ORDER BY position
       RETURNING ${ORDER_FACTS}`,
      [
        drafts.map((one) => one.customerId),
        drafts.map((one) => one.status),
        drafts.map((one) => one.currency),
        drafts.map((one) => one.total),
      ],
    );
    return rows;
  }

  async insertLines(lines: readonly PlacedLine[]): Promise<void> {
    await this.#db.query(
      `INSERT INTO shop.order_lines (order_id, line, sku, title, quantity, unit_price)
       SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::int[], $6::numeric[])`,
      [
        lines.map((line) => line.orderId),
        lines.map((line) => line.line),
        lines.map((line) => line.sku),
        lines.map((line) => line.title),
        lines.map((line) => line.quantity),
        lines.map((line) => line.unitPrice),
      ],
    );
  }

  async lockNextOrder(status: "placed" | "paid"): Promise<OrderFacts | undefined> {
    const { rows } = await this.#db.query<OrderFacts>(
      `SELECT ${ORDER_FACTS} FROM shop.orders WHERE status = $1 ORDER BY updated_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [status],
    );
    return rows[0];
  }

  async lockOrder(id: string): Promise<OrderFacts | undefined> {
    const { rows } = await this.#db.query<OrderFacts>(
      `SELECT ${ORDER_FACTS} FROM shop.orders WHERE id = $1 FOR UPDATE`,
      [id],
    );
    return rows[0];
  }

  async setStatus(id: string, status: OrderStatus): Promise<void> {
    await this.#db.query("UPDATE shop.orders SET status = $2, updated_at = clock_timestamp() WHERE id = $1", [
      id,
      status,
    ]);
  }

  async readLines(orderId: string): Promise<OrderLine[]> {
    const { rows } = await this.#db.query<OrderLine>(
      `SELECT line, sku, title, quantity, unit_price::text AS "unitPrice" FROM shop.order_lines WHERE order_id = $1 ORDER BY line`,
      [orderId],
    );
    return rows;
  }

  async findStandingOrder(): Promise<string | undefined> {
    const { rows } = await this.#db.query<{ id: string }>(
      "SELECT id FROM shop.orders WHERE status = 'standing' LIMIT 1",
    );
    return rows[0]?.id;
  }

  async insertEvents(events: readonly ShopEvent[]): Promise<void> {
    await outbox.add(this.#db, events);
  }
}
