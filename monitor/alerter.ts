import type { Records } from "#db/records/records.ts";
import { judgeAlert, statusFor } from "#services/alerts/judge-alert.ts";
import { checkHealth } from "#services/health/check-health.ts";
import type { Runtime } from "#services/runtime.ts";
import { EachOutbox } from "./each-outbox.ts";
import { logTrouble } from "./log.ts";

/** After a gap of this length in observation, ms, the duration of a status restarts. */
const GAP_MS = 30_000;
/** Outboxes of one store. Health answers within 2.5 s, of which the readings of others take a part. */
const AT_ONCE = 8;

interface Watched {
  name: string;
  store: { name: string };
}

/**
 * Watches each outbox's health for the webhooks. An alert is stored with its text; see AlertDelivery. Each store has
 * its own places, so a slow one delays no other's alerts.
 */
export class Alerter {
  readonly #runtime: Runtime;
  readonly #records: Records;
  readonly #signal: AbortSignal;
  readonly #onQueued: () => void;
  readonly #each: EachOutbox<Watched>;
  /** When this process last observed an outbox. */
  readonly #observedMs = new Map<string, number>();

  constructor(options: { runtime: Runtime; records: Records; signal: AbortSignal; onQueued: () => void }) {
    this.#runtime = options.runtime;
    this.#records = options.records;
    this.#signal = options.signal;
    this.#onQueued = options.onQueued;
    this.#each = new EachOutbox({
      work: (outbox) => this.#observe(outbox.name),
      onError: (outbox, error) => logTrouble(`alerts of ${outbox}`, error),
      atOnce: AT_ONCE,
      largestShare: 1,
      signal: options.signal,
    });
  }

  async runOnce(): Promise<void> {
    if (Object.keys(this.#runtime.config.alerts.webhooks).length > 0) this.#each.start(await this.#outboxes());
  }

  settle(): Promise<void> {
    return this.#each.settle();
  }

  /** Existing outboxes, and missing ones, whose health is failing. */
  async #outboxes(): Promise<Watched[]> {
    const { outboxes, absent } = await this.#runtime.tables();
    const missing = absent.filter(({ kind }) => kind === "outbox");
    const known = [...missing.map(({ name, store }) => ({ name, store: { name: store } })), ...outboxes];
    return [...new Map(known.map((outbox) => [outbox.name, outbox])).values()];
  }

  async #observe(outbox: string): Promise<void> {
    const webhooks = Object.entries(this.#runtime.config.alerts.webhooks);
    const about = webhooks.filter(([, { outboxes }]) => outboxes === undefined || outboxes.includes(outbox));
    if (about.length === 0) return;
    const { status, output = status } = await checkHealth({ runtime: this.#runtime, outbox });
    const gapMs = this.#gapMs(outbox);
    for (const [name, webhook] of about) {
      // Another worker may lead by now.
      if (this.#signal.aborted) return;
      const seen = statusFor(webhook, status);
      const state = await this.#records.observeAlert({ webhook: name, outbox, seen, gapMs });
      const alert = judgeAlert(webhook, state, output);
      if (!alert || this.#signal.aborted) continue;
      await this.#records.queueAlert(alert);
      this.#onQueued();
    }
  }

  /** Time in which this process waited for the outbox's store is no gap: it has led all along. */
  #gapMs(outbox: string): number {
    const nowMs = performance.now();
    const lastMs = this.#observedMs.get(outbox) ?? nowMs;
    this.#observedMs.set(outbox, nowMs);
    return GAP_MS + (nowMs - lastMs);
  }
}
