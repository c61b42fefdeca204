import type { DueAlert } from "#db/records/alerts.ts";
import type { Records } from "#db/records/records.ts";
import { sendAlert } from "#services/alerts/send-alert.ts";
import type { Runtime } from "#services/runtime.ts";
import { Semaphore } from "#services/stores/semaphore.ts";
import { logTrouble } from "./log.ts";

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 300_000;
/**
 * An alert that its webhook does not accept for this long is given up and shown as failed; a new one takes its place.
 */
const GIVE_UP_MS = 86_400_000;
/**
 * Alerts that one webhook gets at once. Each webhook has its own places, so one that does not answer delays no other.
 */
const AT_ONCE = 4;
/**
 * After the abort: time for requests under way, ms. Less than the rest of the lease, after which another worker sends.
 */
const GRACE_MS = 3_000;

/**
 * Sends stored alerts until their webhooks accept them: at least once, in order for each webhook and outbox. Begins
 * nothing after the signal's abort.
 */
export class AlertDelivery {
  readonly #runtime: Runtime;
  readonly #records: Records;
  readonly #signal: AbortSignal;
  readonly #firstRetryMs: number;
  /** Ends requests under way. */
  readonly #cut = new AbortController();
  /** By webhook and number of the alert. */
  readonly #sending = new Map<string, Map<number, Promise<void>>>();
  /** Looks one after another: an alert that was settled during one would be found due by another. */
  readonly #looks = new Semaphore(1);

  /** `firstRetryMs` is for tests. */
  constructor(options: { runtime: Runtime; records: Records; signal: AbortSignal; firstRetryMs?: number }) {
    this.#runtime = options.runtime;
    this.#records = options.records;
    this.#signal = options.signal;
    this.#firstRetryMs = options.firstRetryMs ?? FIRST_RETRY_MS;
    const cut = () => setTimeout(() => this.#cut.abort(), GRACE_MS).unref();
    options.signal.addEventListener("abort", cut, { once: true });
  }

  /** Begins to send what is due, as far as its webhooks have places, and returns without waiting for answers. */
  runOnce(): Promise<void> {
    return this.#looks.run(() => this.#look());
  }

  /** As runOnce, without waiting for it. */
  runSoon(): void {
    if (!this.#signal.aborted) this.runOnce().catch((error: unknown) => logTrouble("delivery of alerts", error));
  }

  /** Waits until no request is under way. */
  async settle(): Promise<void> {
    await Promise.all([...this.#sending.values()].flatMap((ofWebhook) => [...ofWebhook.values()]));
  }

  async #look(): Promise<void> {
    if (this.#signal.aborted) return;
    const known = new Set([...this.#sending.values()].flatMap((ofWebhook) => [...ofWebhook.keys()]));
    for (const alert of await this.#records.dueAlerts(AT_ONCE)) if (!known.has(alert.id)) this.#begin(alert);
  }

  #begin(alert: DueAlert): void {
    const sending = this.#sending.get(alert.webhook) ?? new Map<number, Promise<void>>();
    this.#sending.set(alert.webhook, sending);
    if (this.#signal.aborted || sending.size >= AT_ONCE) return;
    const sent = this.#send(alert)
      .finally(() => sending.delete(alert.id))
      // Its place is for the next alert of the webhook.
      .then(() => this.runSoon())
      .catch((failure: unknown) => logTrouble(`alert ${alert.id}`, failure));
    sending.set(alert.id, sent);
  }

  async #send(alert: DueAlert): Promise<void> {
    const { alerts, environment } = this.#runtime.config;
    const webhook = alerts.webhooks[alert.webhook];
    const context = { environment, linkTo: alerts.linkTo ?? null };
    const error = webhook
      ? await sendAlert({ webhook, alert, context, signal: this.#cut.signal })
      : "The webhook is not configured any more.";
    // Cut short by us: it stays due, and the next leader sends it.
    if (error !== null && this.#cut.signal.aborted) return;
    const tired = !webhook || alert.ageMs > GIVE_UP_MS;
    const retryMs = tired ? null : Math.min(this.#firstRetryMs * 2 ** Math.min(alert.attempts, 10), LONGEST_RETRY_MS);
    await this.#records.settleAlert(
      alert.id,
      error === null ? { delivered: true } : { delivered: false, error, retryMs },
    );
  }
}
