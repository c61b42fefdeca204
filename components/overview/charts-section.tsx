"use client";

import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { seriesQuery } from "#components/api/queries.ts";
import { ChartCard } from "#components/charts/chart-card.tsx";
import { backlogChart, latencyChart, oldestChart, ratesChart } from "#components/charts/outbox-charts.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { Segmented } from "#components/ui/controls/segmented.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { useAddress } from "#components/ui/page/use-address.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Series, Snapshot } from "#contracts/outbox/snapshot.ts";
import css from "./overview.module.css";
import { CHART_RANGES, findRange } from "./range.ts";

const CHART_PACE_MS = 10_000;

interface ChartsSectionProps {
  /** undefined until the outbox is known; the cards already reserve their space. */
  outbox: string | undefined;
  limitSeconds: number | undefined;
  /** The sampler; null without a console side. */
  monitor: Snapshot["monitor"] | undefined;
  /** True when the page already reports the outage. */
  silent: boolean;
}

/** Four charts over one range with a shared cursor: is it getting worse? */
export function ChartsSection({ outbox, limitSeconds, monitor, silent }: ChartsSectionProps) {
  const range = findRange(useAddress().params.get("range"));
  const live = useLive();
  const options = seriesQuery(outbox ?? "", range.seconds, range.stepSeconds, () => live.store.serverTime(Date.now()));
  const error = useFailure(options.queryKey);
  const { data, refetch } = useQuery({
    ...options,
    ...liveOptions(live, { atLeastMs: CHART_PACE_MS }),
    enabled: outbox !== undefined,
    // Another range of the same outbox may be shown until the new one has loaded; another outbox never.
    placeholderData: (previous) => (previous?.outbox === outbox ? previous : undefined),
  });
  const emptyText = emptyTextOf(data, monitor);
  const specs = useChartSpecs(data, limitSeconds);
  return (
    <>
      <div className={css.chartBar}>
        <ChartsAge series={data} monitor={monitor} />
        <RangePicker value={range.value} />
      </div>
      {error !== null && data === undefined && !silent && (
        <ErrorNote title="The charts could not be read." error={error} onRetry={() => void refetch()} />
      )}
      <div className={css.grid}>
        <ChartCard title="In and out" spec={specs?.rates} emptyText={emptyText} />
        <ChartCard title="Oldest not published" aside="against its limit" spec={specs?.oldest} emptyText={emptyText} />
        <ChartCard
          title="Created to published"
          spec={specs?.latency}
          emptyText={data?.problem ? emptyText : "No publication in this range"}
        />
        <ChartCard
          title="Backlog"
          aside="pending and failed"
          spec={specs?.backlog}
          emptyText={specs && specs.backlog.points.length > 0 ? "Not counted in this range" : emptyText}
        />
      </div>
    </>
  );
}

function useChartSpecs(series: Series | undefined, limitSeconds: number | undefined) {
  return useMemo(
    () =>
      series && {
        rates: ratesChart(series),
        oldest: oldestChart(series, limitSeconds),
        latency: latencyChart(series),
        backlog: backlogChart(series),
      },
    [series, limitSeconds],
  );
}

function emptyTextOf(series: Series | undefined, monitor: Snapshot["monitor"] | undefined): string {
  if (series?.problem) return "Not known";
  if (series?.watchingSince !== null) return "Nothing sampled in this range";
  return monitor?.alive === true ? "Sampling has just begun" : "Nothing was sampled";
}

/** Charts start and end with the samples; the text says that nothing is known outside them. */
function ChartsAge({ series, monitor }: { series: Series | undefined; monitor: Snapshot["monitor"] | undefined }) {
  if (monitor?.alive === false) return <NoMonitor lastSeenAt={monitor.lastSeenAt} />;
  if (series?.problem) return <NotRead problem={series.problem} />;
  const since = series?.watchingSince ?? null;
  if (since === null || Date.parse(since) <= Date.parse(series?.from ?? "")) return <span>Times in UTC</span>;
  return (
    <span>
      Watching since <Instant at={since} /> UTC
    </span>
  );
}

/** Replaces the age line without a monitor: since when none has run, and what is missing. */
function NoMonitor({ lastSeenAt }: { lastSeenAt: string | null }) {
  return (
    <span className={css.standing} data-testid="monitor-note">
      <IconAlertTriangle size={15} aria-hidden />
      <span>
        <b>
          {lastSeenAt === null ? (
            "No monitor has ever run"
          ) : (
            <>
              No monitor has run since <Instant at={lastSeenAt} /> UTC
            </>
          )}
        </b>
        : rates and charts are not updated; counts, ages and health are read on demand.
      </span>
    </span>
  );
}

/** No samples could be read: nothing is said of what they would show. */
function NotRead({ problem }: { problem: string }) {
  return (
    <span className={css.standing} data-testid="monitor-note">
      <IconAlertTriangle size={15} aria-hidden />
      <span>
        <b>Rates and charts are not known.</b> {problem}
      </span>
    </span>
  );
}

function RangePicker({ value }: { value: string }) {
  const { change } = useAddress();
  return (
    <Segmented
      label="Range of the charts"
      options={CHART_RANGES}
      value={value}
      onChange={(range) => change({ range }, "replace")}
    />
  );
}
