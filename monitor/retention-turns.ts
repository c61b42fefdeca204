import { outboxOf } from "#services/outboxes/outbox-of.ts";
import { inboxPolicyOf } from "#services/retention/inbox-policy.ts";
import { partitionPolicyOf, policiesOf } from "#services/retention/policies-of.ts";
import { runInboxPolicy } from "#services/retention/run-inbox-policy.ts";
import { runPartitions } from "#services/retention/run-partitions.ts";
import { runPolicy, type TurnResult } from "#services/retention/run-policy.ts";
import type { InboxHandle, OutboxHandle, Runtime, StoreHandle, Tables } from "#services/runtime.ts";
import { acceptFirstMapping } from "#services/stores/accept-first-mapping.ts";
import { log } from "./log.ts";

/** Time until the next turn of a policy that has nothing to do or is not allowed to. */
const IDLE_MS = 600_000;

/** One policy of an outbox or inbox. */
export interface RetentionTurn {
  /** For the log. */
  what: string;
  key: string;
  /** Throws what the store throws. */
  take(budgetMs: number): Promise<void>;
}

/** The turns of a store's policies, and where the last one of each ended. */
export class RetentionTurns {
  readonly #runtime: Runtime;
  readonly #signal: AbortSignal;
  readonly #after = new Map<string, string | null>();
  readonly #idleUntilMs = new Map<string, number>();

  constructor(options: { runtime: Runtime; signal: AbortSignal }) {
    this.#runtime = options.runtime;
    this.#signal = options.signal;
  }

  /** Those that are due now; of outboxes and inboxes together. */
  dueOf(store: StoreHandle, { outboxes, inboxes }: Pick<Tables, "outboxes" | "inboxes">): RetentionTurn[] {
    const operated = outboxes.filter((outbox) => outbox.store === store && outbox.storeSide);
    const here = inboxes.filter((inbox) => inbox.store === store);
    const turns = [...operated.flatMap((one) => this.#ofOutbox(one)), ...here.flatMap((one) => this.#ofInbox(one))];
    return turns.filter(({ key }) => performance.now() >= (this.#idleUntilMs.get(key) ?? 0));
  }

  #ofOutbox(outbox: OutboxHandle): RetentionTurn[] {
    const { name } = outbox;
    const turn = (text: string, take: RetentionTurn["take"]) => ({ what: name, key: `${name} ${text}`, take });
    const partitions = partitionPolicyOf(outbox);
    return [
      ...(partitions ? [turn(partitions.text, () => this.#runPartitions(name, partitions.text))] : []),
      ...policiesOf(outbox).map(({ text }) => turn(text, (budgetMs) => this.#runPolicy(name, text, budgetMs))),
    ];
  }

  #ofInbox(inbox: InboxHandle): RetentionTurn[] {
    const policy = inboxPolicyOf(inbox);
    if (!policy) return [];
    const [what, key] = [`inbox ${inbox.name}`, `inbox ${inbox.name} ${policy.text}`];
    return [{ what, key, take: (budgetMs) => this.#runInbox(inbox.name, key, budgetMs) }];
  }

  /**
   * As it is now: the turns before may have taken minutes. Null while its mapping is in doubt: then it is not certain
   * which rows are published.
   */
  async #operated(name: string): Promise<OutboxHandle | null> {
    const handle = await this.#runtime.outbox(name);
    if (handle.stop !== null || !handle.storeSide) return null;
    return { ...handle, accepted: await acceptFirstMapping(this.#runtime, handle, "retention") };
  }

  async #runPolicy(name: string, text: string, budgetMs: number): Promise<void> {
    const outbox = await this.#operated(name);
    const policy = outbox && policiesOf(outbox).find((one) => one.text === text);
    const retention = outbox && outboxOf(outbox).retention;
    if (!policy || !retention || this.#signal.aborted) return;
    const key = `${name} ${text}`;
    const after = this.#after.get(key) ?? null;
    const result = await runPolicy({ retention, policy, after, budgetMs, signal: this.#signal });
    this.#keep(key, result);
    report({ outbox: name, policy: text }, result);
  }

  /** Creates before it drops, in separate transactions: a failed drop never undoes a creation. */
  async #runPartitions(name: string, text: string): Promise<void> {
    const outbox = await this.#operated(name);
    const policy = outbox && partitionPolicyOf(outbox);
    if (!policy || policy.text !== text || this.#signal.aborted) return;
    const { retention, partitions } = outboxOf(outbox);
    if (!retention || !partitions) return;
    this.#idleUntilMs.set(`${name} ${text}`, performance.now() + IDLE_MS);
    const outcomes = await runPartitions({ retention, partitions, policy, signal: this.#signal });
    for (const outcome of outcomes) log.info({ outbox: name, ...outcome }, "partition");
  }

  async #runInbox(name: string, key: string, budgetMs: number): Promise<void> {
    const inbox = await this.#runtime.inbox(name);
    if (this.#signal.aborted) return;
    const after = this.#after.get(key) ?? null;
    const result = await runInboxPolicy({ runtime: this.#runtime, inbox, after, budgetMs, signal: this.#signal });
    if (!result) return;
    this.#keep(key, result);
    report({ inbox: name }, result);
  }

  #keep(key: string, { after, end }: TurnResult): void {
    this.#after.set(key, after);
    if (end === "done" || end === "refused") this.#idleUntilMs.set(key, performance.now() + IDLE_MS);
  }
}

/** One line for each turn that removed rows or failed. */
function report(of: Record<string, string>, result: TurnResult): void {
  if (result.end === "failed") log.warn({ ...of, ...result }, "retention failed; it is tried again in a minute");
  else if (result.rows > 0) log.info({ ...of, ...result }, "retention removed rows");
}
