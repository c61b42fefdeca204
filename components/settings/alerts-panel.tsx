"use client";

import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiPost } from "#components/api/api-client.ts";
import { alertsQuery } from "#components/api/queries.ts";
import { takeAnswer } from "#components/api/take-answer.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { Badge, type BadgeTone } from "#components/ui/badges/badge.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { WithStatements } from "#components/ui/values/with-statements.tsx";
import { type AlertList, alertListSchema } from "#contracts/watch/alerts.ts";
import { formatLimit, formatPlural } from "#domain/format.ts";
import css from "./settings.module.css";

type Webhook = AlertList["webhooks"][number];
type Alert = AlertList["alerts"][number];

const PACE_MS = 5_000;

const NO_WORKER =
  "No worker is alive, so no alert is sent. Start one with `npm run worker`, or, from the package, with `npx outbox-console worker`.";

/** Webhooks that are notified when health changes, and their deliveries. */
export function AlertsPanel() {
  const queryClient = useQueryClient();
  const error = useFailure(alertsQuery().queryKey);
  const { data } = useQuery({
    ...alertsQuery(),
    ...liveOptions(useLive(), { atLeastMs: PACE_MS, freshness: false }),
  });
  const testing = useMutation({
    mutationFn: (webhook: string) =>
      apiPost(alertListSchema, `/api/v1/alerts/${encodeURIComponent(webhook)}/test`, {}, {}),
    onSuccess: (list) => takeAnswer(queryClient, alertsQuery().queryKey, list),
  });
  const failure = testing.error ?? error;
  const none = data?.webhooks.length === 0;
  return (
    <Panel title="Alerts" aside={data && formatPlural(data.webhooks.length, "webhook")} flush>
      {failure !== null && <ErrorNote error={failure} />}
      {data && !none && data.monitorAlive === false && (
        <ErrorNote tone="warn">
          <WithStatements text={NO_WORKER} />
        </ErrorNote>
      )}
      {none ? (
        <EmptyState small title="No webhook is configured.">
          Name one under alerts.webhooks in outbox.yaml: Slack, PagerDuty or your own.
        </EmptyState>
      ) : (
        <>
          {(data !== undefined || error === null) && (
            <DataTable
              caption="Webhooks"
              columns={webhookColumns(testing)}
              rows={data?.webhooks}
              rowKey={({ name }) => name}
              skeletonRows={1}
            />
          )}
          {data && data.alerts.length > 0 && (
            <DataTable
              caption="Alerts, newest first"
              columns={ALERT_COLUMNS}
              rows={data.alerts.slice(0, 10)}
              rowKey={({ id }) => String(id)}
              skeletonRows={1}
            />
          )}
        </>
      )}
    </Panel>
  );
}

interface Testing {
  isPending: boolean;
  variables: string | undefined;
  mutate(webhook: string): void;
}

function webhookColumns(testing: Testing): Column<Webhook>[] {
  return [
    { key: "name", header: "Webhook", cell: ({ name }) => <span className="mono">{name}</span>, width: "180px" },
    { key: "to", header: "To", cell: ({ format, host }) => `${format}, ${host}`, width: "300px", hideOnPhone: true },
    {
      key: "when",
      header: "Told",
      hideOnPhone: true,
      cell: ({ from, afterSeconds }) =>
        `${from === "warn" ? "warn and fail" : "fail"} after ${formatLimit(afterSeconds)}`,
    },
    {
      key: "about",
      header: "About",
      hideOnPhone: true,
      cell: ({ outboxes }) => outboxes?.join(", ") ?? "every outbox",
    },
    {
      key: "test",
      header: <span className="visually-hidden">Test</span>,
      align: "right",
      width: "120px",
      cell: ({ name }) => (
        <Button
          size="compact-xs"
          aria-label={`Send a test alert to ${name}`}
          loading={testing.isPending && testing.variables === name}
          onClick={() => testing.mutate(name)}
        >
          Send a test
        </Button>
      ),
    },
  ];
}

const EVENT_TONES: Record<Alert["event"], BadgeTone> = { trigger: "bad", resolve: "ok", test: "neutral" };
const EVENT_WORDS: Record<Alert["event"], string> = { trigger: "triggered", resolve: "resolved", test: "test" };

const ALERT_COLUMNS: Column<Alert>[] = [
  { key: "at", header: "At", width: "110px", cell: ({ at }) => <Instant at={at} /> },
  {
    key: "event",
    header: "Alert",
    width: "110px",
    cell: ({ event }) => <Badge tone={EVENT_TONES[event]}>{EVENT_WORDS[event]}</Badge>,
  },
  { key: "webhook", header: "Webhook", hideOnPhone: true, width: "140px", cell: ({ webhook }) => webhook },
  {
    key: "summary",
    header: "What it said",
    cell: (alert) => (
      <>
        <span className={css.wrap}>{alert.summary}</span>
        <span className={css.onPhone}>{deliveryOf(alert)}</span>
      </>
    ),
  },
  { key: "delivery", header: "Delivery", hideOnPhone: true, cell: (alert) => deliveryOf(alert) },
];

function deliveryOf({ deliveredAt, nextAttemptAt, attempts, error }: Alert): string {
  const tries = attempts > 1 ? ` at attempt ${attempts}` : "";
  if (deliveredAt !== null) return `delivered${tries}`;
  if (nextAttemptAt === null) return `given up after ${formatPlural(attempts, "attempt")}: ${error ?? ""}`;
  return error === null ? "waits to be sent" : `not delivered yet, ${formatPlural(attempts, "attempt")}: ${error}`;
}
