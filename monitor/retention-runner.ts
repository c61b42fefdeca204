import { outboxOf } from "#services/outboxes/outbox-of.ts";
import { inboxPolicyOf } from "#services/retention/inbox-policy.ts";
import { partitionPolicyOf, policiesOf } from "#services/retention/policies-of.ts";
import { runInboxPolicy } from "#services/retention/run-inbox-policy.ts";
import { runPartitions } from "#services/retention/run-partitions.ts";
import { runPolicy } from "#services/retention/run-policy.ts";
import type { InboxHandle, OutboxHandle, Runtime } from "#services/runtime.ts";
import { acceptFirstMapping } from "#services/stores/accept-first-mapping.ts";
import { log, logTrouble } from "./log.ts";

/** Longest turn of one policy. Old rows that are left then go in the next turn. */
const TURN_MS = 40_000;
/** Time until the next turn of a policy that has nothing to do or is not allowed to. */
const IDLE_MS = 600_000;

/**
 * Removes old rows of outboxes by their configured retention, on the leading monitor. Works on one outbox of a store at a
 * time, so that retention uses at most one of its connections.
 */
export class RetentionRunner {
  readonly #runtime: Runtime;
  readonly #signal: AbortSignal;
  /** Where the last turn of a policy ended. */
  readonly #after = new Map<string, string | null>();
  readonly #idleUntilMs = new Map<string, number>();

  constructor(options: { runtime: Runtime; signal: AbortSignal }) {
    this.#runtime = options.runtime;
    this.#signal = options.signal;
  }

  async runOnce(): Promise<void> {
    const { outboxes } = await this.#runtime.tables();
    const isKept = (outbox: OutboxHandle) => policiesOf(outbox).length === 0 && partitionPolicyOf(outbox) === null;
    const due = outboxes.filter((outbox) => outbox.storeSide && !isKept(outbox));
    const stores = Map.groupBy(due, ({ store }) => store);
    await Promise.all([...stores.values()].map((ofStore) => this.#runStore(ofStore)));
    await this.#runInboxes();
  }

  /** After the outboxes, one inbox after another. */
  async #runInboxes(): Promise<void> {
    const { inboxes } = await this.#runtime.tables();
    for (const inbox of inboxes) {
      const key = `inbox ${inbox.name} ${inboxPolicyOf(inbox)?.text}`;
      if (this.#signal.aborted || !inboxPolicyOf(inbox) || performance.now() < (this.#idleUntilMs.get(key) ?? 0))
        continue;
      await this.#runInbox(inbox, key).catch((error: unknown) => logTrouble(`retention of inbox ${inbox.name}`, error));
    }
  }

  async #runInbox(inbox: InboxHandle, key: string): Promise<void> {
    const result = await runInboxPolicy({
      ...{ runtime: this.#runtime, inbox, after: this.#after.get(key) ?? null },
      ...{ budgetMs: TURN_MS, signal: this.#signal },
    });
    if (!result) return;
    this.#after.set(key, result.after);
    if (result.end === "done" || result.end === "refused") this.#idleUntilMs.set(key, performance.now() + IDLE_MS);
    if (result.rows > 0) log.info({ inbox: inbox.name, ...result }, "retention removed rows of an inbox");
  }

  async #runStore(outboxes: readonly OutboxHandle[]): Promise<void> {
    for (const outbox of outboxes)
      await this.#runOutbox(outbox).catch((error: unknown) => logTrouble(`retention of ${outbox.name}`, error));
  }

  async #runOutbox(handle: OutboxHandle): Promise<void> {
    // While the mapping is in doubt, it is not certain which rows are published.
    if (handle.stop !== null) return;
    const accepted = await acceptFirstMapping(this.#runtime, handle, "retention");
    const outbox = { ...handle, accepted };
    const { retention } = outboxOf(outbox);
    if (!retention) return;
    await this.#runPartitions(outbox);
    for (const policy of policiesOf(outbox)) {
      if (this.#signal.aborted) return;
      const key = `${outbox.name} ${policy.text}`;
      if (performance.now() < (this.#idleUntilMs.get(key) ?? 0)) continue;
      const result = await runPolicy({
        ...{ retention, policy, after: this.#after.get(key) ?? null },
        ...{ budgetMs: TURN_MS, signal: this.#signal },
      });
      this.#after.set(key, result.after);
      if (result.end === "done" || result.end === "refused") this.#idleUntilMs.set(key, performance.now() + IDLE_MS);
      if (result.rows > 0) log.info({ outbox: outbox.name, policy: policy.text, ...result }, "retention removed rows");
    }
  }

  /** Creates before it drops, in separate transactions: a failed drop never undoes a creation. */
  async #runPartitions(outbox: OutboxHandle): Promise<void> {
    const policy = partitionPolicyOf(outbox);
    const { retention, partitions } = outboxOf(outbox);
    const key = `${outbox.name} ${policy?.text}`;
    if (!policy || !retention || !partitions || performance.now() < (this.#idleUntilMs.get(key) ?? 0)) return;
    this.#idleUntilMs.set(key, performance.now() + IDLE_MS);
    const outcomes = await runPartitions({ retention, partitions, policy });
    for (const outcome of outcomes) log.info({ outbox: outbox.name, ...outcome }, "partition");
  }
}
