import { describe, expect, test } from "vitest";
import { alertsSchema } from "../config/alerts-schema.ts";
import { alertBody } from "./alert-body.ts";

const ALERT = {
  id: 7,
  outbox: "checkout",
  event: "trigger",
  status: "fail",
  summary: "checkout: the sink <gateway> & co cannot be reached since 03:05 UTC",
  at: "2026-11-17T03:05:14.000000Z",
} as const;
const CONTEXT = { environment: "production", linkTo: "https://ops.example.com/outbox" };
const webhook = (more: Record<string, unknown>) =>
  Object.values(
    alertsSchema.parse({ webhooks: { one: { url: "https://hooks.example.com/x", ...more } } }).webhooks,
  )[0] ?? expect.unreachable();

describe("an alert", () => {
  test("as JSON has the diagnosis' sentence and a link to what is stuck, under the console's path", () => {
    expect(alertBody(webhook({}), ALERT, CONTEXT)).toMatchObject({
      event: "trigger",
      status: "fail",
      summary: ALERT.summary,
      link: "https://ops.example.com/outbox/stuck?outbox=checkout",
    });
  });

  test("for Slack escapes what Slack would read as markup", () => {
    expect(alertBody(webhook({ format: "slack" }), ALERT, CONTEXT)).toEqual({
      text: [
        "*Failing: checkout (production)*",
        "checkout: the sink &lt;gateway&gt; &amp; co cannot be reached since 03:05 UTC",
        "<https://ops.example.com/outbox/stuck?outbox=checkout|Open the console>",
      ].join("\n"),
    });
  });

  test("for PagerDuty is resolved under the key that it was triggered with; a test has its own", () => {
    const pagerduty = webhook({ format: "pagerduty", routingKey: "R0UT1NG" });
    const keyOf = (event: "trigger" | "resolve" | "test") =>
      alertBody(pagerduty, { ...ALERT, event }, CONTEXT) as { dedup_key: string; event_action: string };
    expect(keyOf("trigger")).toMatchObject({ routing_key: "R0UT1NG", payload: { severity: "critical" } });
    expect(keyOf("resolve")).toMatchObject({ event_action: "resolve", dedup_key: keyOf("trigger").dedup_key });
    expect(keyOf("test").dedup_key).not.toBe(keyOf("trigger").dedup_key);
  });

  test("PagerDuty's summary is cut between characters, as a reader of JSON requires", () => {
    const pagerduty = webhook({ format: "pagerduty", routingKey: "R0UT1NG" });
    for (const before of ["", "x"]) {
      const summary = before + "\u{1f600}".repeat(600);
      const { payload } = alertBody(pagerduty, { ...ALERT, summary }, CONTEXT) as { payload: { summary: string } };
      expect(payload.summary.isWellFormed(), before).toBe(true);
    }
  });

  test("PagerDuty without its key is refused by the configuration", () => {
    const parsed = alertsSchema.safeParse({ webhooks: { one: { url: "https://x.example.com", format: "pagerduty" } } });
    expect(parsed.error?.issues[0]?.message).toMatch(/routingKey/);
  });
});
