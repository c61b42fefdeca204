import type { AlertRow } from "#db/records/alerts.ts";
import type { Records } from "#db/records/records.ts";
import { judgeAlert, statusFor } from "#services/alerts/judge-alert.ts";
import { sendAlert } from "#services/alerts/send-alert.ts";
import type { AlertWebhook } from "#services/config/alerts-schema.ts";
import { checkHealth } from "#services/health/check-health.ts";
import type { Runtime } from "#services/runtime.ts";
import { logTrouble } from "./log.ts";

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 300_000;
/** After a gap of this length, ms, or of three rounds if they take longer, the duration of a status restarts. */
const LEAST_GAP_MS = 30_000;
const GAP_ROUNDS = 3;
/**
 * An alert that its webhook does not accept for this long is given up and shown as failed; a new one takes its place.
 */
const GIVE_UP_MS = 86_400_000;
const AT_ONCE = 20;

/**
 * Reports each outbox's health to webhooks. An alert is stored with its text before it is sent, and sent until it is
 * accepted: at least once, in order for each webhook and outbox.
 */
export class Alerter {
  readonly #runtime: Runtime;
  readonly #records: Records;

  readonly #firstRetryMs: number;
  /** Time of the last round, ms: silent databases and webhooks make it long. */
  #roundMs = 0;

  /** `firstRetryMs` is for tests. */
  constructor(options: { runtime: Runtime; records: Records; firstRetryMs?: number }) {
    this.#runtime = options.runtime;
    this.#records = options.records;
    this.#firstRetryMs = options.firstRetryMs ?? FIRST_RETRY_MS;
  }

  async runOnce(): Promise<void> {
    const webhooks = Object.entries(this.#runtime.config.alerts.webhooks);
    if (webhooks.length === 0) return;
    const startedMs = performance.now();
    for (const outbox of await this.#outboxes()) await this.#observe(outbox, webhooks);
    await this.#deliver();
    this.#roundMs = performance.now() - startedMs;
  }

  /** Names of existing outboxes, and of missing ones, whose health is failing. */
  async #outboxes(): Promise<string[]> {
    const { outboxes, absent } = await this.#runtime.tables();
    const missing = absent.filter(({ kind }) => kind === "outbox");
    return [...new Set([...outboxes, ...missing].map(({ name }) => name))];
  }

  async #observe(outbox: string, webhooks: readonly [string, AlertWebhook][]): Promise<void> {
    const about = webhooks.filter(([, { outboxes }]) => outboxes === undefined || outboxes.includes(outbox));
    if (about.length === 0) return;
    try {
      const { status, output = status } = await checkHealth({ runtime: this.#runtime, outbox });
      for (const [name, webhook] of about) {
        const seen = statusFor(webhook, status);
        const gapMs = Math.max(LEAST_GAP_MS, GAP_ROUNDS * this.#roundMs);
        const state = await this.#records.observeAlert({ webhook: name, outbox, seen, gapMs });
        const alert = judgeAlert(webhook, state, output);
        if (alert) await this.#records.queueAlert(alert);
      }
    } catch (error) {
      logTrouble(`alerts of ${outbox}`, error);
    }
  }

  async #deliver(): Promise<void> {
    const due = await this.#records.dueAlerts(AT_ONCE);
    await Promise.all(due.map((alert) => this.#send(alert)));
  }

  async #send(alert: AlertRow): Promise<void> {
    const { alerts, environment } = this.#runtime.config;
    const webhook = alerts.webhooks[alert.webhook];
    const context = { environment, linkTo: alerts.linkTo ?? null };
    const error = webhook ? await sendAlert(webhook, alert, context) : "The webhook is not configured any more.";
    const tired = !webhook || Date.now() - Date.parse(alert.at) > GIVE_UP_MS;
    const retryMs = tired ? null : Math.min(this.#firstRetryMs * 2 ** Math.min(alert.attempts, 10), LONGEST_RETRY_MS);
    await this.#records
      .settleAlert(alert.id, error === null ? { delivered: true } : { delivered: false, error, retryMs })
      .catch((failure: unknown) => logTrouble(`alert ${alert.id}`, failure));
  }
}
