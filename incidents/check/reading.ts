import { type OutboxList, outboxListSchema } from "#contracts/outbox/outboxes.ts";
import { type Snapshot, snapshotSchema } from "#contracts/outbox/snapshot.ts";
import type { Verdict } from "#contracts/watch/diagnosis.ts";
import { type FindingList, findingListSchema } from "#contracts/watch/findings.ts";
import { type Health, healthSchema } from "#contracts/watch/health.ts";
import type { Answer, ConsoleClient } from "../world/console-client.ts";

/** What every surface said about one outbox at about the same time. */
export interface Reading {
  outbox: string;
  atMs: number;
  snapshot: Answer<Snapshot>;
  findings: Answer<FindingList>;
  list: Answer<OutboxList>;
  /** `?outbox=` */
  health: Answer<Health>;
  wholeHealth: Answer<Health>;
}

/** Answers about all outboxes of a console are shared by all watchers that ask within this time, ms. */
const SHARED_MS = 800;

/** Reads one console for several watchers. */
export class Reader {
  readonly #client: ConsoleClient;
  readonly #shared = new Map<string, { atMs: number; answer: Promise<Answer<unknown>> }>();

  constructor(client: ConsoleClient) {
    this.#client = client;
  }

  async read(outbox: string): Promise<Reading> {
    const path = `/api/v1/outboxes/${outbox}`;
    const atMs = performance.now();
    const [snapshot, findings, health, list, wholeHealth] = await Promise.all([
      this.#client.read(`${path}/snapshot`, snapshotSchema),
      this.#client.read(`${path}/findings`, findingListSchema),
      this.#client.read(`/api/health?outbox=${outbox}`, healthSchema, [200, 503]),
      this.#share("list", () => this.#client.read("/api/v1/outboxes", outboxListSchema)),
      this.#share("health", () => this.#client.read("/api/health", healthSchema, [200, 503])),
    ]);
    return { outbox, atMs, snapshot, findings, health, list, wholeHealth };
  }

  #share<T>(key: string, ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
    const known = this.#shared.get(key);
    if (known && performance.now() - known.atMs < SHARED_MS) return known.answer as Promise<Answer<T>>;
    const answer = ask();
    this.#shared.set(key, { atMs: performance.now(), answer });
    return answer;
  }
}

/** One surface's statement about the outbox. */
export interface Saying {
  surface: string;
  /** On the database's clock; null if the surface does not say. */
  asOf: string | null;
  verdict: Verdict;
}

export function sayingsOf({ outbox, snapshot, findings, list }: Reading): Saying[] {
  const item = list.body?.outboxes.find(({ name }) => name === outbox);
  return [
    snapshot.body && { surface: "snapshot", asOf: snapshot.body.asOf, verdict: snapshot.body.verdict },
    item && { surface: "outboxes", asOf: item.figures?.asOf ?? null, verdict: item.verdict },
    findings.body && { surface: "findings", asOf: findings.body.asOf, verdict: findings.body.verdict },
  ].filter((one) => one !== null && one !== undefined);
}

/** The instant of the outbox's health document; null if the database did not answer. */
export function healthInstant({ outbox, health }: Reading): string | null {
  return health.body?.checks?.[`${outbox}:oldestPending`]?.[0]?.time ?? null;
}
