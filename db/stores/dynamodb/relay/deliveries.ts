import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { Lease } from "../../port/relay/lease.ts";
import { type AnnouncedActions, readAnnouncedActions } from "../own-table/announced-actions.ts";
import { keyItem, type OwnTable, PARTITIONS, queryRecords, toItem } from "../own-table/own-table.ts";
import { type DeliveryDoc, deliveryKey } from "../own-table/relay-docs.ts";
import { serverNowMs } from "../own-table/terms.ts";
import { isInTerm } from "./partition.ts";

const MOST_READ = 1_000_000;

/**
 * Our records of failed messages, in memory. The records of a term's partitions are changed by its own settles, which
 * are entered here, and by operators, whose actions change a counter. They are read again only if the counter has
 * changed.
 */
export class Deliveries {
  readonly #own: OwnTable;
  readonly #outbox: string;
  #byId = new Map<string, DeliveryDoc>();
  /** Null: the records in memory may be outdated. */
  #digest: string | null = null;
  /** Counts changes of this relay: a read that was under way may lack them. */
  #changes = 0;

  constructor(own: OwnTable, outbox: string) {
    this.#own = own;
    this.#outbox = outbox;
  }

  get(id: string): DeliveryDoc | undefined {
    return this.#byId.get(id);
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Those of the term's messages that wait for an attempt, the longest due first. */
  waiting(lease: Pick<Lease, "partitions">): [string, DeliveryDoc & { nextAttemptAt: string }][] {
    const waits = (entry: [string, DeliveryDoc]): entry is [string, DeliveryDoc & { nextAttemptAt: string }] =>
      entry[1].nextAttemptAt !== null && isInTerm(lease, entry[0], entry[1].aggregateKey);
    return [...this.#byId].filter(waits).sort(([, a], [, b]) => (a.nextAttemptAt < b.nextAttemptAt ? -1 : 1));
  }

  /** Changes with every action of an operator that was read; null while nothing was. */
  get digest(): string | null {
    return this.#digest;
  }

  /** Changes with every action of an operator and every failure of this relay. */
  summary(): string {
    let sum = 0;
    for (const { nextAttemptAt } of this.#byId.values())
      sum += nextAttemptAt === null ? 1 : Date.parse(nextAttemptAt) % 1_000_000_007;
    return `${this.#digest} ${this.#byId.size} ${sum}`;
  }

  set(id: string, doc: DeliveryDoc): void {
    this.#byId.set(id, doc);
    this.#changes += 1;
  }

  delete(id: string): void {
    this.#byId.delete(id);
    this.#changes += 1;
  }

  /** Call if a write is in doubt, or if another owner has written. */
  forget(): void {
    this.#digest = null;
    // A read that is under way began before the write.
    this.#changes += 1;
  }

  /** Reads the operators' actions, and the records if there are new ones. */
  async refresh(): Promise<AnnouncedActions> {
    for (;;) {
      const acting = await readAnnouncedActions(this.#own, this.#outbox);
      if (acting.digest === this.#digest) return acting;
      const before = this.#changes;
      const pk = PARTITIONS.deliveries(this.#outbox);
      const { records } = await queryRecords<DeliveryDoc>(this.#own, { pk, limit: MOST_READ });
      if (this.#changes !== before) continue;
      this.#byId = new Map(records.map(({ sk, doc }) => [sk, doc]));
      this.#digest = acting.digest;
      return acting;
    }
  }

  /** Reads the records if those in memory may be outdated. */
  async ready(): Promise<void> {
    if (this.#digest === null) await this.refresh();
  }

  putWrite(id: string, doc: DeliveryDoc): TransactWriteItem {
    const item = toItem({ ...deliveryKey(this.#outbox, id), doc, v: randomUUID() });
    return { Put: { TableName: this.#own.name, Item: item } };
  }

  deleteWrite(id: string): TransactWriteItem {
    return { Delete: { TableName: this.#own.name, Key: keyItem(deliveryKey(this.#outbox, id)) } };
  }

  dueInMs({ nextAttemptAt }: { nextAttemptAt: string }): number {
    return Date.parse(nextAttemptAt) - serverNowMs(this.#own.link);
  }
}
