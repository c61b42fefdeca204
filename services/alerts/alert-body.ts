import type { AlertRow } from "#db/records/alerts.ts";
import { cutText } from "#domain/text/cut-text.ts";
import type { AlertWebhook } from "../config/alerts-schema.ts";

export interface AlertContext {
  /** Name of the environment; null if it has none. */
  environment: string | null;
  /** Where people reach the console; null if it is not configured. */
  linkTo: string | null;
}

/** PagerDuty's longest summary. */
const MOST_SUMMARY = 1024;

type Alert = Pick<AlertRow, "id" | "outbox" | "event" | "status" | "summary" | "at">;

/** The JSON that a webhook receives about an alert, in its format. */
export function alertBody(webhook: AlertWebhook, alert: Alert, context: AlertContext): unknown {
  if (webhook.format === "slack") return slackMessage(alert, context);
  if (webhook.format === "pagerduty") return pagerdutyEvent(webhook.routingKey ?? "", alert, context);
  return {
    version: 1,
    id: alert.id,
    event: alert.event,
    status: alert.status,
    outbox: alert.outbox,
    environment: context.environment,
    summary: alert.summary,
    at: alert.at,
    link: linkOf(alert, context),
    dedupKey: dedupKey(alert, context),
  };
}

/** Slack reads `&`, `<` and `>` as markup. */
const escapeSlack = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

const WORDS = { trigger: { fail: "Failing", warn: "At risk", pass: "" }, resolve: "Resolved", test: "Test" };

function headline({ event, status }: Alert): string {
  return event === "trigger" ? WORDS.trigger[status] : WORDS[event];
}

function slackMessage(alert: Alert, context: AlertContext): unknown {
  const where = context.environment === null ? alert.outbox : `${alert.outbox} (${context.environment})`;
  const link = linkOf(alert, context);
  const lines = [
    `*${headline(alert)}: ${escapeSlack(where)}*`,
    escapeSlack(alert.summary),
    ...(link === null ? [] : [`<${link}|Open the console>`]),
  ];
  return { text: lines.join("\n") };
}

/** Escalations and the resolution have the key of the alert that they are about. */
function dedupKey({ outbox, event, id }: Alert, { environment }: AlertContext): string {
  const key = `outbox-console/${environment ?? "default"}/${outbox}`;
  return event === "test" ? `${key}/test-${id}` : key;
}

function pagerdutyEvent(routingKey: string, alert: Alert, context: AlertContext): unknown {
  const link = linkOf(alert, context);
  return {
    routing_key: routingKey,
    event_action: alert.event === "resolve" ? "resolve" : "trigger",
    dedup_key: dedupKey(alert, context),
    client: "Outbox Console",
    ...(link === null ? {} : { client_url: link, links: [{ href: link, text: "Open the console" }] }),
    payload: {
      summary: cutText(`${headline(alert)}: ${alert.summary}`, MOST_SUMMARY),
      source: alert.outbox,
      severity: alert.event === "test" ? "info" : alert.status === "fail" ? "critical" : "warning",
      timestamp: alert.at,
      component: alert.outbox,
      group: context.environment ?? undefined,
      class: "outbox",
    },
  };
}

/** The outbox's page that shows the trouble; its overview once the alert is resolved. */
function linkOf({ outbox, event }: Alert, { linkTo }: AlertContext): string | null {
  if (linkTo === null) return null;
  const page = event === "trigger" ? "stuck" : "";
  const url = new URL(page, linkTo.endsWith("/") ? linkTo : `${linkTo}/`);
  url.searchParams.set("outbox", outbox);
  return url.toString();
}
