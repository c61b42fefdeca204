import type { PoolConnection, ResultSetHeader, RowDataPacket } from "mysql2/promise";
import { mysql2 } from "#client/adapters/mysql2.ts";
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

const ORDER_FACTS = `CONCAT('ord-', number) AS id, CAST(number AS CHAR) AS number, customer_id AS customerId, currency,
  CAST(total AS CHAR) AS total`;

const outbox = createOutbox(shopEvents, {
  via: mysql2(),
  table: "outbox_events",
  columns: OUTBOX_COLUMNS,
  trace: newTrace,
});

export class MysqlTransaction implements ShopTransaction {
  readonly #db: PoolConnection;

  constructor(db: PoolConnection) {
    this.#db = db;
  }

  async insertCustomers(customers: readonly CustomerDraft[]): Promise<Customer[]> {
    const numbers = await this.#insert(
      "INSERT INTO customers (name, email, locale) VALUES ?",
      customers.map((one) => [one.name, one.email, one.locale]),
    );
    return customers.map((one, index) => ({ id: `cus-${numbers[index]}`, ...one }));
  }

  /** Finds them by equality: MySQL would search no index for the first number from a computed one on. */
  async pickCustomers(places: readonly number[]): Promise<string[]> {
    const [span] = await this.#select<{ low: string; high: string }>(
      "SELECT MIN(number) AS low, MAX(number) AS high FROM customers",
    );
    const [low, high] = [Number(span?.low), Number(span?.high)];
    const wanted = places.map((place) => low + Math.floor(place * (high - low + 1)));
    const rows = await this.#select<{ number: string }>("SELECT number FROM customers WHERE number IN (?)", [wanted]);
    const found = new Set(rows.map(({ number }) => Number(number)));
    return wanted.map((number) => `cus-${found.has(number) ? number : low}`);
  }

  async insertOrders(drafts: readonly OrderDraft[]): Promise<OrderFacts[]> {
    const numbers = await this.#insert(
      "INSERT INTO orders (customer_id, status, currency, total) VALUES ?",
      drafts.map((one) => [one.customerId, one.status, one.currency, one.total]),
    );
    return drafts.map(({ customerId, currency, total }, index) => {
      const number = numbers[index] ?? "";
      return { id: `ord-${number}`, number, customerId, currency, total };
    });
  }

  async insertLines(lines: readonly PlacedLine[]): Promise<void> {
    await this.#insert(
      "INSERT INTO order_lines (order_number, line, sku, title, quantity, unit_price) VALUES ?",
      lines.map((one) => [numberOf(one.orderId), one.line, one.sku, one.title, one.quantity, one.unitPrice]),
    );
  }

  async lockNextOrder(status: "placed" | "paid"): Promise<OrderFacts | undefined> {
    const [order] = await this.#select<OrderFacts>(
      `SELECT ${ORDER_FACTS} FROM orders WHERE status = ? ORDER BY updated_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [status],
    );
    return order;
  }

  async lockOrder(id: string): Promise<OrderFacts | undefined> {
    const [order] = await this.#select<OrderFacts>(`SELECT ${ORDER_FACTS} FROM orders WHERE number = ? FOR UPDATE`, [
      numberOf(id),
    ]);
    return order;
  }

  async setStatus(id: string, status: OrderStatus): Promise<void> {
    await this.#db.query("UPDATE orders SET status = ?, updated_at = CURRENT_TIMESTAMP(6) WHERE number = ?", [
      status,
      numberOf(id),
    ]);
  }

  readLines(orderId: string): Promise<OrderLine[]> {
    return this.#select<OrderLine>(
      `SELECT line, sku, title, quantity, CAST(unit_price AS CHAR) AS unitPrice FROM order_lines
       WHERE order_number = ? ORDER BY line`,
      [numberOf(orderId)],
    );
  }

  async findStandingOrder(): Promise<string | undefined> {
    const [order] = await this.#select<{ id: string }>(
      "SELECT CONCAT('ord-', number) AS id FROM orders WHERE status = 'standing' LIMIT 1",
    );
    return order?.id;
  }

  async insertEvents(events: readonly ShopEvent[]): Promise<void> {
    await outbox.add(this.#db, events);
  }

  async #select<T>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    const [rows] = await this.#db.query<RowDataPacket[]>(sql, [...values]);
    return rows as T[];
  }

  /**
   * Inserts rows by one statement. Returns their AUTO_INCREMENT numbers: InnoDB numbers the rows of such a statement
   * without gaps, and the driver has the first number. Several servers that accept writes share the numbers by a step.
   */
  async #insert(sql: string, rows: readonly (readonly unknown[])[]): Promise<string[]> {
    if (rows.length === 0) return [];
    const [{ insertId }] = await this.#db.query<ResultSetHeader>(sql, [rows]);
    const [first] = await this.#select<{ step: string }>("SELECT @@SESSION.auto_increment_increment AS step");
    const step = BigInt(first?.step ?? 1);
    return rows.map((_, index) => String(BigInt(insertId) + BigInt(index) * step));
  }
}

/** The number in `ord-48001`. */
function numberOf(orderId: string): number {
  return Number(orderId.slice("ord-".length));
}
