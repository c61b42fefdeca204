import { Counter, Gauge, Registry } from "prom-client";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import type { RelayTotals } from "#db/stores/port/relay-rows.ts";
import { isAppError } from "#domain/errors.ts";
import { LATENCY_BUCKETS, latencyBucketBoundMs } from "#domain/relay/latency-histogram.ts";
import type { Examination } from "../outboxes/examination.ts";
import { examineInTime } from "../outboxes/examine-in-time.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { TimeBudget } from "../time-budget.ts";

/**
 * Budget per scrape, ms. A scraper waits 10 s by default, and a failed scrape can alert; one slow outbox must not fail
 * the others.
 */
const BUDGET_MS = 2_500;

/**
 * Prometheus text from the same snapshots as the pages, within 3 s. A missing outbox, or one whose database is silent,
 * has only `outbox_up 0` and no figures: absent is not zero.
 */
export async function renderMetrics(input: {
  runtime: Runtime;
  /** OpenMetrics instead of Prometheus' older text. */
  openMetrics?: boolean;
}): Promise<{ contentType: string; text: string }> {
  const { runtime, openMetrics = false } = input;
  const budget = new TimeBudget(BUDGET_MS);
  const { outboxes, absent } = await runtime.tables();
  const registry = new Registry();
  if (openMetrics) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
  const metrics = declare(registry);
  const histograms: string[] = [];
  for (const { kind, name } of absent) if (kind === "outbox") metrics.up.set({ outbox: name }, 0);
  await Promise.all(
    outboxes.map(async (handle) => {
      const labels = { outbox: handle.name };
      try {
        const [{ examination }, totals] = await Promise.all([
          examineInTime({ runtime, handle, patienceMs: budget.leftMs }),
          handle.storeSide ? readTotals(handle, budget) : null,
        ]);
        setGauges(metrics, examination);
        setState(metrics, examination.snapshot, handle.config.relay?.sink);
        metrics.up.set(labels, 1);
        if (totals) histograms.push(setRelayMetrics(metrics, handle, totals));
      } catch {
        // /api/health has the reason; here the missing figures alert.
        metrics.up.set(labels, 0);
      }
    }),
  );
  const text = await registry.metrics();
  const latency = histograms.filter((histogram) => histogram !== "");
  const header =
    "# HELP outbox_publish_latency_seconds Time from creation to confirmed publication.\n# TYPE outbox_publish_latency_seconds histogram\n";
  const body = openMetrics ? text.replace(/# EOF\n$/, "") : `${text}\n`;
  return {
    contentType: registry.contentType,
    text: (latency.length > 0 ? `${body}${header}${latency.join("")}` : body) + (openMetrics ? "# EOF\n" : ""),
  };
}

function readTotals(handle: OutboxHandle, budget: TimeBudget): Promise<RelayTotals | null> {
  const { guard, records } = handle.store;
  const totals = guard.ask(() => records.totals(handle.name), { patienceMs: budget.leftMs });
  // Whether the outbox is up its examination says, as in health: without the counters it is not down yet.
  return totals.catch((error: unknown) => {
    if (isAppError(error)) return null;
    throw error;
  });
}

function declare(registry: Registry) {
  const gauge = (name: string, help: string, labelNames: string[] = ["outbox"]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const counter = (name: string, help: string) =>
    new Counter({ name, help, labelNames: ["outbox"], registers: [registry] });
  return {
    up: gauge("outbox_up", "1 when the outbox's database answered."),
    messages: gauge("outbox_messages", "Messages by state.", ["outbox", "state"]),
    oldest: gauge(
      "outbox_oldest_pending_seconds",
      "Age of the oldest due message that is not published; 0 when nothing waits.",
    ),
    snapshotAge: gauge("outbox_snapshot_age_seconds", "Age of these figures."),
    heartbeat: gauge("outbox_relay_heartbeat_age_seconds", "Age of the newest relay heartbeat."),
    notProcessed: gauge(
      "outbox_not_processed_messages",
      "Published messages that a consumer has not processed within its limit, of those looked up in its inbox.",
      ["outbox", "inbox"],
    ),
    notProcessedOldest: gauge(
      "outbox_not_processed_oldest_seconds",
      "Time since the first of them was published; 0 when there is none.",
      ["outbox", "inbox"],
    ),
    unmatchedRows: gauge(
      "outbox_inbox_unmatched_rows",
      "Of the newest rows of an inbox, those whose message no outbox holds.",
      ["outbox", "inbox"],
    ),
    inboxCheckAge: gauge("outbox_inbox_check_age_seconds", "Age of the last check of an inbox.", ["outbox", "inbox"]),
    connectorRunning: gauge("outbox_connector_running", "1 while the connector and at least one of its tasks run."),
    connectorKept: gauge("outbox_connector_log_kept_bytes", "Log that the server keeps for the connector's slot."),
    connectorLag: gauge("outbox_connector_unconfirmed_bytes", "Log that the connector has not confirmed."),
    blocked: gauge(
      "outbox_blocked_messages",
      "Pending messages that wait behind a failed or held one of their aggregate.",
    ),
    cause: gauge("outbox_cause", "1 while the diagnosis names this cause; the rules are those of docs/watchdog.md.", [
      "outbox",
      "rule",
      "severity",
    ]),
    status: gauge("outbox_status", "The verdict as health judges it: 0 pass, 1 warn, 2 fail."),
    relaysAlive: gauge("outbox_relays_alive", "Relay instances with a fresh heartbeat."),
    breaker: gauge("outbox_sink_breaker_open", "1 while relays wait for the sink, which cannot be used.", [
      "outbox",
      "sink",
    ]),
    paused: gauge("outbox_paused", "1 while the outbox is paused on purpose."),
    published: counter("outbox_published_total", "Messages that the relays published."),
    failures: counter("outbox_publish_failures_total", "Attempts that failed."),
  };
}

type Metrics = ReturnType<typeof declare>;

/** `clockOffsetMs` converts our time to the database's, whose times the figures have. */
function setGauges(metrics: Metrics, { snapshot, clockOffsetMs }: Examination): void {
  const { outbox } = snapshot;
  const ageOf = (at: string) => Math.max(0, (Date.now() - clockOffsetMs - Date.parse(at)) / 1000);
  for (const [state, figure] of Object.entries(snapshot.counts)) {
    if (figure.precision !== "unknown") metrics.messages.set({ outbox, state }, figure.value);
  }
  if (snapshot.oldestPendingKnown) metrics.oldest.set({ outbox }, snapshot.oldestPending?.ageSeconds ?? 0);
  metrics.snapshotAge.set({ outbox }, ageOf(snapshot.asOf));
  if (snapshot.relays?.heartbeatAgeSeconds != null)
    metrics.heartbeat.set({ outbox }, snapshot.relays.heartbeatAgeSeconds);
  setConsumers(metrics, snapshot, ageOf);
  setConnector(metrics, snapshot);
}

/** Labels are rules of the diagnosis and the configured sink, so there are few, independent of the table's content. */
function setState(metrics: Metrics, snapshot: Snapshot, sink: string | undefined): void {
  const { outbox, blocked, relays, verdict } = snapshot;
  metrics.status.set({ outbox }, { pass: 0, warn: 1, fail: 2 }[verdict.status]);
  for (const { rule, severity } of verdict.causes) metrics.cause.set({ outbox, rule, severity }, 1);
  if (blocked.messages.precision !== "unknown") metrics.blocked.set({ outbox }, blocked.messages.value);
  if (!relays) return;
  metrics.relaysAlive.set({ outbox }, relays.alive);
  metrics.paused.set({ outbox }, relays.paused ? 1 : 0);
  if (sink !== undefined) metrics.breaker.set({ outbox, sink }, relays.breaker ? 1 : 0);
}

/** What is not known has no figure. */
function setConnector(metrics: Metrics, { outbox, connector }: Snapshot): void {
  if (!connector) return;
  const { state, tasks, lagBytes, unconfirmedBytes } = connector;
  const runs = state === "RUNNING" && (tasks?.running ?? 0) > 0;
  if (state !== null) metrics.connectorRunning.set({ outbox }, runs ? 1 : 0);
  if (lagBytes !== null) metrics.connectorKept.set({ outbox }, lagBytes);
  if (unconfirmedBytes !== null) metrics.connectorLag.set({ outbox }, unconfirmedBytes);
}

/** An inbox that could not be checked has no figures: absent is not zero. Labels are the configured inboxes. */
function setConsumers(metrics: Metrics, { outbox, consumers }: Snapshot, ageOf: (at: string) => number): void {
  for (const { inbox, notProcessed, oldestSeconds, unmatchedRows, checkedAt } of consumers) {
    const labels = { outbox, inbox };
    if (checkedAt !== null) metrics.inboxCheckAge.set(labels, ageOf(checkedAt));
    if (unmatchedRows.precision !== "unknown") metrics.unmatchedRows.set(labels, unmatchedRows.value);
    if (notProcessed.precision === "unknown") continue;
    metrics.notProcessed.set(labels, notProcessed.value);
    metrics.notProcessedOldest.set(labels, oldestSeconds ?? 0);
  }
}

/** Sets the counters and returns the latency histogram in the exposition format. */
function setRelayMetrics(metrics: Metrics, handle: OutboxHandle, totals: RelayTotals): string {
  const labels = { outbox: handle.name };
  metrics.published.inc(labels, totals.published);
  metrics.failures.inc(labels, totals.failures);
  const buckets = Array.from({ length: LATENCY_BUCKETS }, (_, index) => totals.latency[index] ?? 0);
  if (sum(buckets) === 0) return "";
  let seen = 0;
  const lines = buckets.flatMap((count, index) => {
    seen += count;
    // Every fourth bucket is a doubling: 29 buckets per outbox instead of 116.
    return index % 4 === 0
      ? [
          `outbox_publish_latency_seconds_bucket{outbox="${handle.name}",le="${latencyBucketBoundMs(index) / 1000}"} ${seen}`,
        ]
      : [];
  });
  const total = sum(buckets.map((count, index) => (count * latencyBucketBoundMs(index)) / 1000));
  return `${lines.join("\n")}\noutbox_publish_latency_seconds_bucket{outbox="${handle.name}",le="+Inf"} ${seen}\noutbox_publish_latency_seconds_sum{outbox="${handle.name}"} ${total}\noutbox_publish_latency_seconds_count{outbox="${handle.name}"} ${seen}\n`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
