import { VerdictBadge } from "#components/ui/badges/verdict-badge.tsx";
import { formatFigure } from "#components/ui/format/format-figure.ts";
import { sumFigures } from "#components/ui/format/sum-figures.ts";
import type { OutboxSummary } from "#contracts/outbox/outboxes.ts";
import { formatCount, formatDuration, formatRate } from "#domain/format.ts";
import css from "./fleet.module.css";

interface HealthyLineProps {
  healthy: readonly OutboxSummary[];
  /** True when other outboxes are listed above. */
  more: boolean;
  unfolded: boolean;
  onToggle: () => void;
}

/** "delivering  6 more  accounts, audit-feed, … · oldest 0.9 s · 38/s in and out · 4 dead · 9 of 9 relays". */
export function HealthyLine({ healthy, more, unfolded, onToggle }: HealthyLineProps) {
  return (
    <p className={css.healthy} data-testid="healthy-line">
      <VerdictBadge word="delivering" />
      <span className={css.healthyWords}>
        <b>{more ? `${formatCount(healthy.length)} more` : `all ${formatCount(healthy.length)}`}</b>{" "}
        {!unfolded && <span className={css.names}>{healthy.map((outbox) => outbox.name).join(", ")}</span>}{" "}
        <span className="muted">{describe(healthy)}</span>
      </span>
      <button type="button" className={css.fold} aria-expanded={unfolded} onClick={onToggle}>
        {unfolded ? "Hide them" : "Show them"}
      </button>
    </p>
  );
}

function describe(healthy: readonly OutboxSummary[]): string {
  const figures = healthy.flatMap((outbox) => outbox.figures ?? []);
  const ages = figures.flatMap(({ oldestPendingSeconds }) => oldestPendingSeconds ?? []);
  const [into, out] = [sum(figures.map((each) => each.inPerSecond)), sum(figures.map((each) => each.outPerSecond))];
  const dead = sumFigures(figures.map((each) => each.dead));
  const served = figures.flatMap(({ relays }) => relays ?? []);
  const parts = [
    ages.length === 0 ? "nothing waiting" : `oldest ${formatDuration(Math.max(...ages))}`,
    into === null || out === null ? undefined : ratesOf(into, out),
    `${formatFigure(dead)} dead`,
    served.length === 0 ? undefined : `${sum(served.map((r) => r.alive))} of ${sum(served.map((r) => r.known))} relays`,
  ];
  return parts
    .filter((part) => part !== undefined)
    .map((part) => `· ${part}`)
    .join(" ");
}

function ratesOf(into: number, out: number): string {
  const [printedIn, printedOut] = [formatRate(into), formatRate(out)];
  return printedIn === printedOut ? `${printedIn}/s in and out` : `${printedIn}/s in, ${printedOut}/s out`;
}

/** Null if any part is unknown. */
function sum(values: readonly (number | null)[]): number | null {
  return values.reduce((total, value) => (total === null || value === null ? null : total + value), 0 as number | null);
}
