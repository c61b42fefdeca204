import type { AlertList } from "#contracts/watch/alerts.ts";
import { recordedMask } from "../masking/mask-recorded.ts";
import { monitorSign } from "../monitor-alive.ts";
import type { Runtime } from "../runtime.ts";

const SHOWN = 50;

/** The configured webhooks without their secrets, and the newest alerts. Throws: unavailable. */
export async function listAlerts({ runtime }: { runtime: Runtime }): Promise<AlertList> {
  const { records, consoleGuard, config } = runtime;
  const rows =
    records && consoleGuard ? await consoleGuard.ask(() => records.alerts({ outboxes: null, limit: SHOWN })) : [];
  const said = await recordedMask(
    config,
    rows.map(({ outbox }) => outbox),
  );
  return {
    webhooks: Object.entries(config.alerts.webhooks).map(([name, webhook]) => ({
      name,
      format: webhook.format,
      host: new URL(webhook.url).host,
      outboxes: webhook.outboxes ?? null,
      from: webhook.from,
      afterSeconds: webhook.after / 1000,
      resolveAfterSeconds: webhook.resolveAfter / 1000,
    })),
    alerts: rows.map((row) => ({ ...row, summary: said(row.outbox, row.summary) })),
    monitorAlive: (await monitorSign(runtime)).alive,
    asOf: new Date().toISOString(),
  };
}
