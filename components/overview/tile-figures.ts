import { formatFigure } from "#components/ui/format-figure.ts";
import { formatLimit } from "#components/ui/format-limit.ts";
import type { Snapshot } from "#contracts/snapshot.ts";
import { formatCount, formatDuration, formatRate } from "#domain/format.ts";
import type { TileTone } from "./tile.tsx";

export interface TileFigure {
  label: string;
  value: string;
  note: string;
  tone: TileTone;
  path: string;
}

/** What the six tiles say, in the order of the questions asked at night. Five where no relay of ours serves it. */
export function tileFigures(snapshot: Snapshot): TileFigure[] {
  const tiles = [oldest(snapshot), pending(snapshot), failed(snapshot), dead(snapshot), published(snapshot)];
  const relays = relayTile(snapshot);
  return relays === undefined ? tiles : [...tiles, relays];
}

function oldest({ oldestPending, oldestPendingKnown, thresholds }: Snapshot): TileFigure {
  const limits = thresholds.oldestPending;
  const path = "/messages?state=unsent";
  const note = `limit ${formatLimit(limits.failSeconds)}`;
  if (!oldestPendingKnown)
    return { label: "Oldest pending", value: "unknown", note: "an index is missing", tone: "warn", path };
  if (oldestPending === null) return { label: "Oldest pending", value: "–", note, tone: "rest", path };
  return {
    label: "Oldest pending",
    value: formatDuration(oldestPending.ageSeconds),
    note,
    tone: judge(oldestPending.ageSeconds, limits.warnSeconds, limits.failSeconds),
    path,
  };
}

function pending(snapshot: Snapshot): TileFigure {
  const { counts, rates, blocked, scheduled } = snapshot;
  const parts = [
    counts.pending.precision === "exact" ? "exact" : counts.pending.precision,
    blocked.messages.value > 0
      ? `${formatFigure(blocked.messages)} blocked`
      : scheduled.value > 0
        ? `${formatFigure(scheduled)} scheduled`
        : undefined,
    rates.inPerSecond === null ? undefined : `${formatRate(rates.inPerSecond)}/s in`,
  ];
  const tone = oldest(snapshot).tone;
  return {
    label: "Pending",
    value: formatFigure(counts.pending),
    note: parts.filter((part) => part !== undefined).join(" · "),
    tone: tone === "rest" ? "normal" : tone,
    path: "/messages?state=pending",
  };
}

function failed({ counts, nextRetryInSeconds, thresholds }: Snapshot): TileFigure {
  const next =
    nextRetryInSeconds === null
      ? ""
      : nextRetryInSeconds <= 0
        ? "due now"
        : `next in ${formatDuration(nextRetryInSeconds)}`;
  return {
    label: "Failed, will retry",
    value: formatFigure(counts.failed),
    note: counts.failed.value === 0 ? "none" : next,
    tone: judge(counts.failed.value, thresholds.failed.warn, thresholds.failed.fail),
    path: "/messages?state=failed",
  };
}

function dead({ counts, deadLast24h }: Snapshot): TileFigure {
  return {
    label: "Dead",
    value: formatFigure(counts.dead),
    note: deadLast24h === null ? "" : `+${formatCount(deadLast24h)} in 24 h`,
    tone: counts.dead.value > 0 ? "dead" : "normal",
    path: "/messages?state=dead",
  };
}

function published(snapshot: Snapshot): TileFigure {
  const { counts, rates } = snapshot;
  const standing = rates.outPerSecond === 0 && snapshot.verdict.status === "fail";
  return {
    label: "Published",
    value: rates.outPerSecond === null ? "–" : `${formatRate(rates.outPerSecond)}/s`,
    note: counts.published.precision === "unknown" ? "" : `${formatFigure(counts.published)} in the table`,
    tone: standing ? "bad" : rates.outPerSecond === null ? "rest" : "normal",
    path: "/messages?state=published",
  };
}

function relayTile({ relays }: Snapshot): TileFigure | undefined {
  if (relays === null) return undefined;
  const heartbeat =
    relays.heartbeatAgeSeconds === null
      ? "no heartbeat yet"
      : `heartbeat ${formatDuration(relays.heartbeatAgeSeconds)} ago`;
  const note =
    relays.paused !== null
      ? "paused on purpose"
      : relays.breaker !== null
        ? `${relays.breaker.sink} refuses`
        : heartbeat;
  return {
    label: "Relays",
    value: `${relays.alive} of ${relays.known}`,
    note,
    tone: relays.alive === 0 ? "bad" : relays.paused !== null ? "warn" : "normal",
    path: "/relays",
  };
}

function judge(value: number, warn: number, fail: number): TileTone {
  if (value > fail) return "bad";
  return value > warn ? "warn" : "normal";
}
