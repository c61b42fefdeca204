import type { Pool } from "pg";
import { messageListSchema } from "#contracts/message/messages.ts";
import { type Operation, operationPreviewSchema, operationSchema } from "#contracts/message/operations.ts";
import { isEnded } from "#domain/message/bulk-operation.ts";
import { waitFor } from "#tests/wait-for.ts";
import { ForeignSession } from "./world/foreign-session.ts";
import type { EventSpec } from "./world/outbox-table.ts";
import type { Sink } from "./world/sink.ts";
import type { Stack } from "./world/stack.ts";
import type { IncidentStore } from "./world/stores/incident-store.ts";

const TARGETS = 100;

export interface Traffic {
  eventType: string;
  perSecond: number;
  aggregates: number;
  afterCommit?: (ids: string[]) => Promise<void>;
}

/** What an incident works with: one outbox, its sink, and other sessions and relays. */
export class Scene {
  readonly stack: Stack;
  readonly outbox: string;
  readonly table: string;
  /** Ids of all messages written for our relay. */
  readonly sent = new Set<string>();
  /** Ids delivered by another relay. */
  readonly deliveredByOthers = new Set<string>();
  /** Database time at which the incident began. */
  beganAt = "";
  beganMs = performance.now();
  readonly #closers: (() => Promise<unknown>)[] = [];
  readonly #traffic = new Set<() => Promise<void>>();

  constructor(stack: Stack, outbox: string, table: string) {
    this.stack = stack;
    this.outbox = outbox;
    this.table = table;
  }

  get store(): IncidentStore {
    return this.stack.store;
  }

  /** Only over Postgres. */
  get pool(): Pool {
    return this.store.pool;
  }

  get sink(): Sink {
    return this.sinkOf(this.outbox);
  }

  sinkOf(outbox: string): Sink {
    const sink = this.stack.sinks.get(outbox);
    if (sink === undefined) throw new Error(`${outbox} has no sink.`);
    return sink;
  }

  /** Marks the incident's start, from which seconds and instants count. */
  async begin(): Promise<void> {
    this.beganAt = await this.store.now();
    this.beganMs = performance.now();
  }

  async write(events: readonly EventSpec[]): Promise<string[]> {
    const ids = await this.store.insert(this.table, events);
    for (const id of ids) this.sent.add(id);
    return ids;
  }

  /** Writes events of a type, spread over a number of aggregates. */
  writeMany(count: number, eventType: string, aggregates: number, rest: Partial<EventSpec> = {}): Promise<string[]> {
    const prefix = eventType.split(".")[0];
    return this.write(
      Array.from({ length: count }, (_, n) => ({ eventType, aggregateId: `${prefix}-${n % aggregates}`, ...rest })),
    );
  }

  /** Keeps writing events until the traffic is stopped. */
  traffic({ eventType, perSecond, aggregates, afterCommit }: Traffic): void {
    let running = true;
    let n = 0;
    const work = async () => {
      while (running) {
        const dueMs = performance.now() + 1000 / perSecond;
        const ids = await this.write([{ eventType, aggregateId: `${eventType.split(".")[0]}-${n++ % aggregates}` }]);
        await afterCommit?.(ids);
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
      }
    };
    const done = work();
    this.#traffic.add(async () => {
      running = false;
      await done;
    });
  }

  async endTraffic(): Promise<void> {
    await Promise.all([...this.#traffic].map((end) => end()));
    this.#traffic.clear();
  }

  /** A foreign session with an open transaction; only over Postgres. */
  async session(applicationName: string): Promise<ForeignSession> {
    const session = await ForeignSession.open(this.pool.options.connectionString ?? "", applicationName);
    this.onClose(() => session.end());
    return session;
  }

  /** A foreign session that locks these messages until the scene is closed. */
  async lockRows(applicationName: string, ids: readonly string[]): Promise<void> {
    const locks = await this.store.lockRows(applicationName, this.table, ids);
    this.onClose(() => locks.end());
  }

  onClose(closer: () => Promise<unknown>): void {
    this.#closers.push(closer);
  }

  async received(ids: readonly string[], timeoutMs = 30_000): Promise<void> {
    const missing = () => ids.filter((id) => !this.sink.received.has(id)).length;
    await waitFor(() => missing() === 0, { timeoutMs, message: `${ids.length} events arrived` }).catch((cause) => {
      throw new Error(`${missing()} of ${ids.length} events did not arrive within ${timeoutMs / 1000} s.`, { cause });
    });
  }

  async pause(subject: Record<string, string> = {}): Promise<void> {
    await this.#post("pause", { reason: "deploying the gateway", minutes: null, ...subject });
    if (Object.keys(subject).length === 0) await this.#obeyed();
  }

  /** The relay has stopped claiming. */
  async #obeyed(): Promise<void> {
    await waitFor(() => this.store.isPaused(this.outbox), { message: "the relay has paused" });
  }

  resume(subject: Record<string, string> = {}): Promise<unknown> {
    return this.#post("resume", { reason: "the gateway is back", ...subject });
  }

  /** Retries when the API says that the database is busy, as an operator would. */
  #post(verb: "pause" | "resume", body: Record<string, unknown>): Promise<unknown> {
    return waitFor(() => this.stack.client.post(`/api/v1/relays/${this.outbox}/${verb}`, body), {
      timeoutMs: 30_000,
      intervalMs: 500,
      message: `the ${verb} is accepted`,
    });
  }

  /** Retries all messages of a state, as an operator would; returns their number. */
  async retry(state: string): Promise<number> {
    let done = 0;
    while (true) {
      const targets = await this.#targets(state, TARGETS);
      if (targets.length === 0) return done;
      const answer = await this.#retry(targets);
      if (answer.done === 0) throw new Error(`No message could be retried: ${JSON.stringify(answer.outcomes[0])}`);
      done += answer.done;
    }
  }

  /**
   * Retries all messages of a state by one operation, as an operator would with thousands; resolves when it has ended.
   */
  async retryInBulk(state: string): Promise<void> {
    const { client } = this.stack;
    const path = `/api/v1/outboxes/${this.outbox}/operations`;
    const chosen = { action: "retry", filter: { state } };
    const { confirm } = operationPreviewSchema.parse(await client.post(`${path}/preview`, chosen));
    const request = { ...chosen, reason: "mended", settings: { ratePerSecond: 1000 } };
    const { id } = operationSchema.parse(await client.post(path, confirm === null ? request : { ...request, confirm }));
    await waitFor(
      async () => {
        const { body } = await client.read(`/api/v1/operations/${id}`, operationSchema);
        return body?.bulk && isEnded(body.bulk.state);
      },
      { message: `the retry of all ${state} messages has ended`, timeoutMs: 60_000, intervalMs: 1000 },
    );
  }

  /** Retries one message of a state; returns the number retried. */
  async retryOne(state: string): Promise<number> {
    const targets = await this.#targets(state, 1);
    return targets.length === 0 ? 0 : (await this.#retry(targets)).done;
  }

  async #targets(state: string, limit: number): Promise<{ id: string; version: string }[]> {
    const path = `/api/v1/outboxes/${this.outbox}/messages?state=${state}&limit=${limit}`;
    const { body, error } = await this.stack.client.read(path, messageListSchema);
    if (body === null) throw new Error(`The ${state} messages could not be listed: ${error}`);
    return body.messages.map(({ id, version }) => ({ id, version }));
  }

  async #retry(targets: { id: string; version: string }[]): Promise<Operation> {
    const path = `/api/v1/outboxes/${this.outbox}/operations`;
    return operationSchema.parse(await this.stack.client.post(path, { action: "retry", targets, reason: "mended" }));
  }

  /** All of them are marked as published in the table. */
  async marked(ids: readonly string[], timeoutMs = 20_000): Promise<void> {
    await waitFor(async () => (await this.store.countUnmarked(this.table, ids)) === 0, {
      timeoutMs,
      message: `${ids.length} rows are marked as published`,
    });
  }

  /** No message is waiting. */
  async settled(): Promise<void> {
    await waitFor(async () => (await this.count("published_at IS NULL")) === 0, {
      message: "all is marked as published",
    });
  }

  count(where: string): Promise<number> {
    return this.store.count(this.table, where);
  }

  async close(): Promise<void> {
    await this.endTraffic();
    for (const closer of this.#closers.splice(0).reverse()) await closer().catch(() => undefined);
  }
}
