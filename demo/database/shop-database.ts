import type { OnceResult } from "#client/inbox/create-inbox.ts";
import type { ReceivedMessage } from "#client/messages/received-message.ts";
import type { OrderLine } from "../shop/catalogue.ts";
import type { OrderFacts } from "../shop/event-payloads.ts";
import type { ShopEvent } from "../shop/shop-events.ts";

export interface OpenOptions {
  /** URL of a Postgres, MySQL or MariaDB database; the scheme shows which. */
  url: string;
  /** Called with the error of a connection that fails while it is idle. */
  onTrouble: (error: unknown) => void;
}

/** The shop's database: its tables, its outbox and its consumers' inboxes. */
export interface ShopDatabase {
  /** Creates the missing tables; safe to run again over tables in use. */
  createTables(): Promise<void>;
  /** Runs `work` in one transaction. */
  transaction<T>(work: (db: ShopTransaction) => Promise<T>): Promise<T>;
  hasCustomers(): Promise<boolean>;
  /**
   * Deletes, oldest first by an index, published events and finished orders after two hours, and inbox rows after six,
   * which is longer than any repeat takes. Unsent events are never touched. Returns the number of deleted rows, which
   * is limited.
   */
  sweepOldRows(): Promise<number>;
  /** Loyalty points of a payment, once: one per whole unit paid. */
  earnPoints(message: ReceivedMessage): Promise<OnceResult<void>>;
  /**
   * Revenue of a payment, once, by day and currency, over sixteen buckets a day: payments of a day need not wait for
   * one row.
   */
  addRevenue(message: ReceivedMessage): Promise<OnceResult<void>>;
  /** A separate session named billing-report, in a transaction that stays open until it is ended. */
  openReport(): Promise<BillingReport>;
  close(): Promise<void>;
}

/** The statements of the shop's transactions. */
export interface ShopTransaction {
  insertCustomers(customers: readonly CustomerDraft[]): Promise<Customer[]>;
  /**
   * A customer for each number of [0, 1), by its place between the first and the last customer. Customer numbers have
   * few gaps, so a number finds a customer without a scan.
   */
  pickCustomers(places: readonly number[]): Promise<string[]>;
  /** The orders in the order of their drafts. */
  insertOrders(drafts: readonly OrderDraft[]): Promise<OrderFacts[]>;
  insertLines(lines: readonly PlacedLine[]): Promise<void>;
  /**
   * Locks the order that has waited longest in a status and that no other transaction has locked. Because of this lock,
   * the outbox's sequence is the commit order of each aggregate: writers of one order take turns.
   */
  lockNextOrder(status: "placed" | "paid"): Promise<OrderFacts | undefined>;
  /** Locks an order, after any transaction that has it locked. */
  lockOrder(id: string): Promise<OrderFacts | undefined>;
  /** Also notes the time of the change. */
  setStatus(id: string, status: OrderStatus): Promise<void>;
  readLines(orderId: string): Promise<OrderLine[]>;
  findStandingOrder(): Promise<string | undefined>;
  /** Appends to the outbox, in the given order. */
  insertEvents(events: readonly ShopEvent[]): Promise<void>;
}

/** A careless nightly report, which locks the outbox rows that it reads. */
export interface BillingReport {
  /** Locks up to 200 waiting rows, without waiting for those that others have locked. Returns how many it found. */
  lockWaiting(): Promise<number>;
  /** Ends the session, and with it the locks. */
  end(): Promise<void>;
}

export type OrderStatus = "placed" | "paid" | "shipped" | "cancelled" | "standing";

export interface CustomerDraft {
  name: string;
  email: string;
  locale: string;
}

export interface Customer extends CustomerDraft {
  id: string;
}

export interface OrderDraft {
  customerId: string;
  status: OrderStatus;
  currency: string;
  /** Decimal text with two places. */
  total: string;
}

export interface PlacedLine extends OrderLine {
  orderId: string;
}
