import { setTimeout as delay } from "node:timers/promises";
import type { Failure } from "#domain/failure.ts";
import { failureOfCode } from "./classify-failure.ts";
import type { Cluster, TopicMetadata } from "./cluster.ts";

export interface Topic {
  /** Broker id of each partition's leader; -1: none at present. */
  leaders: readonly number[];
  /** Why the topic cannot be sent to. */
  failure: Failure | null;
  freshUntilMs: number;
}

const FRESH_MS = 300_000;
const FAILURE_FRESH_MS = 1_000;
const ASK_AGAIN_MS = 150;
/** An unknown topic is looked for this long, in ms: it may just have been created. */
const NEW_TOPIC_MS = 450;
const [OK, UNKNOWN_TOPIC, LEADER_NOT_AVAILABLE] = [0, 3, 5];

/** Cached topic metadata. A broker that has just started may not know every topic yet, so "unknown" is asked again. */
export class Topics {
  readonly #cluster: Cluster;
  readonly #timeoutMs: number;
  readonly #topics = new Map<string, Topic>();
  readonly #asking = new Map<string, PromiseWithResolvers<void>>();

  constructor(cluster: Cluster, timeoutMs: number) {
    this.#cluster = cluster;
    this.#timeoutMs = timeoutMs;
  }

  /** Undefined when the topic must be looked up. */
  get(name: string): Topic | undefined {
    const topic = this.#topics.get(name);
    return topic !== undefined && topic.freshUntilMs > performance.now() ? topic : undefined;
  }

  /** The last metadata received, fresh or stale. */
  known(name: string): Topic | undefined {
    return this.#topics.get(name);
  }

  leaderOf(name: string, partition: number): number {
    return this.#topics.get(name)?.leaders[partition] ?? -1;
  }

  /**
   * Looks up topics that are unknown or stale, in one request. Each is known as soon as a broker has answered for it.
   * Throws when no broker answers.
   */
  async resolve(names: Iterable<string>): Promise<void> {
    const missing = [...new Set(names)].filter((name) => this.get(name) === undefined);
    const mine = missing.filter((name) => !this.#asking.has(name));
    for (const name of mine) {
      const asked = Promise.withResolvers<void>();
      // Somebody else may wait for it, or nobody.
      asked.promise.catch(() => undefined);
      this.#asking.set(name, asked);
    }
    if (mine.length > 0) void this.#ask(mine);
    await Promise.all(missing.map((name) => this.#asking.get(name)?.promise));
  }

  /** Looks topics up without the cache, because a leader has moved. */
  async refresh(names: Iterable<string>): Promise<void> {
    const all = [...names];
    for (const name of all) {
      const topic = this.#topics.get(name);
      if (topic !== undefined) topic.freshUntilMs = 0;
    }
    await this.resolve(all);
  }

  async #ask(names: string[]): Promise<void> {
    const startedMs = performance.now();
    let waiting = names;
    try {
      while (waiting.length > 0) {
        if (waiting !== names) await delay(ASK_AGAIN_MS);
        const answers = await this.#cluster.metadata(waiting);
        const elapsedMs = performance.now() - startedMs;
        const again = new Set(answers.flatMap((answer) => (this.#take(answer, elapsedMs) ? [] : [answer.name ?? ""])));
        for (const name of waiting) if (!again.has(name)) this.#answered(name)?.resolve();
        waiting = [...again];
      }
    } catch (error) {
      for (const name of waiting) this.#answered(name)?.reject(error);
    }
  }

  #answered(name: string): PromiseWithResolvers<void> | undefined {
    const asked = this.#asking.get(name);
    this.#asking.delete(name);
    return asked;
  }

  /** False when the topic must be looked up again. */
  #take({ name, errorCode, partitions }: TopicMetadata, elapsedMs: number): boolean {
    if (!name) return true;
    const seen = (this.#topics.get(name)?.leaders.length ?? 0) > 0;
    if (errorCode === OK) {
      const leaders: number[] = [];
      for (const { partitionIndex, leaderId } of partitions) leaders[partitionIndex] = leaderId;
      this.#topics.set(name, { leaders, failure: null, freshUntilMs: performance.now() + FRESH_MS });
      return true;
    }
    const mayPass = errorCode === LEADER_NOT_AVAILABLE || errorCode === UNKNOWN_TOPIC;
    const patienceMs = seen || errorCode === LEADER_NOT_AVAILABLE ? this.#timeoutMs : NEW_TOPIC_MS;
    if (mayPass && elapsedMs < patienceMs) return false;
    const failure = failureOfCode(errorCode, `the topic ${name}`);
    this.#topics.set(name, { leaders: [], failure, freshUntilMs: performance.now() + FAILURE_FRESH_MS });
    return true;
  }
}
