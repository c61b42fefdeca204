import type { AlertList } from "#contracts/watch/alerts.ts";
import { AppError } from "#domain/errors.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import { whyNoMonitor } from "../monitor-alive.ts";
import { listAlerts } from "./list-alerts.ts";

/**
 * Queues a test alert, which the worker sends as it sends real ones, with an audit row. Throws: forbidden, not_found
 * (no such webhook), wrong_state (no console database), no_monitor, unavailable.
 */
export async function testAlert({ ctx, webhook }: { ctx: ServiceContext; webhook: string }): Promise<AlertList> {
  requireRole(ctx, "operator");
  const { runtime, actor } = ctx;
  const { records, consoleGuard, config } = runtime;
  if (!Object.hasOwn(config.alerts.webhooks, webhook))
    throw new AppError("not_found", `No webhook ${webhook} is configured under alerts.webhooks.`);
  if (!records || !consoleGuard)
    throw new AppError("wrong_state", "Alerts need the console's database: set console.databaseUrl.");
  const why = await whyNoMonitor(runtime, "send it");
  if (why !== null) throw new AppError("no_monitor", why);
  const outbox = config.alerts.webhooks[webhook]?.outboxes?.[0] ?? "any outbox";
  const summary = `A test by ${actor.name}: nothing is wrong.`;
  await consoleGuard.ask(() =>
    records.recordAct(
      {
        actor,
        action: "alert.test",
        outbox: null,
        inbox: null,
        outcome: "done",
        reason: null,
        detail: `Webhook ${webhook}`,
      },
      () => records.queueAlert({ webhook, outbox, event: "test", status: "pass", summary }),
    ),
  );
  return listAlerts({ runtime });
}
