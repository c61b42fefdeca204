import { formatFigure } from "#components/ui/format/format-figure.ts";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import { formatBytes, formatCount, formatDuration, formatLimit, formatRate } from "#domain/format.ts";
import type { TileTone } from "./tile.tsx";

export interface TileFigure {
  label: string;
  value: string;
  /** Smaller, after the value. */
  unit?: string | undefined;
  note: string;
  tone: TileTone;
  path: string;
}

/** A tile shows the health checks' judgement and applies no limits of its own. */
const TONES = { pass: "normal", warn: "warn", fail: "bad" } as const;

/** The six tiles, in the order of on-call questions; five if no relay of ours serves the outbox. */
export function tileFigures(snapshot: Snapshot): TileFigure[] {
  const tiles = [
    connector(snapshot) ?? oldest(snapshot),
    pending(snapshot),
    failed(snapshot),
    dead(snapshot),
    published(snapshot),
  ];
  const relays = relayTile(snapshot);
  return relays === undefined ? tiles : [...tiles, relays];
}

const OLDEST = { label: "Oldest not published", path: "/messages?state=unsent" } as const;

function oldest({ oldestPending, oldestPendingKnown, rowsTell, relays, thresholds, judged }: Snapshot): TileFigure {
  const note = limitNote(thresholds.oldestPending.failSeconds);
  if (!rowsTell && oldestPending === null)
    return relays
      ? { ...OLDEST, value: "–", note: "none recorded", tone: "rest" }
      : { ...OLDEST, value: "unknown", note: "no row says", tone: "rest" };
  if (!oldestPendingKnown && oldestPending === null)
    return { ...OLDEST, value: "unknown", note: "could not be read", tone: "warn" };
  if (oldestPending === null) return { ...OLDEST, value: "–", note, tone: "rest" };
  return { ...OLDEST, value: formatDuration(oldestPending.ageSeconds), note, tone: TONES[judged.oldestPending] };
}

/** Debezium's offset knows how old the oldest is, and no row does. */
function connector({ connector: found, verdict }: Snapshot): TileFigure | undefined {
  if (!found) return undefined;
  const { state, tasks, lagBytes } = found;
  const halted = state === "RUNNING" && tasks !== null && tasks.running === 0;
  return {
    label: "Connector",
    value: state === null ? "unknown" : halted ? "no task runs" : state.toLowerCase(),
    note: lagBytes === null ? found.name : `${formatBytes(lagBytes)} of log kept`,
    tone: TONES[verdict.status],
    path: "/relays",
  };
}

/** A limit of 0 is switched off. */
function limitNote(failSeconds: number): string {
  return failSeconds > 0 ? `limit ${formatLimit(failSeconds)}` : "no limit";
}

function pending(snapshot: Snapshot): TileFigure {
  const { counts, rates, blocked, scheduled, relays } = snapshot;
  // The banner counts what is in flight among those that wait. With a relay also while none is, so that the note stays
  // as it is.
  const isMoving = counts.in_flight.value > 0 || relays !== null;
  const held =
    blocked.messages.value > 0
      ? `${formatFigure(blocked.messages)} blocked`
      : scheduled.value > 0
        ? `${formatFigure(scheduled)} scheduled`
        : undefined;
  const parts = [
    // The tile is narrow, and a figure without a sign before it is exact.
    counts.pending.precision === "exact" && (isMoving || held) ? undefined : counts.pending.precision,
    held ?? (isMoving ? `+${formatFigure(counts.in_flight)} in flight` : undefined),
    rates.inPerSecond === null ? undefined : `${formatRate(rates.inPerSecond)}/s in`,
  ];
  const tone = counts.pending.value > 0 ? oldest(snapshot).tone : "normal";
  return {
    label: "Pending",
    value: formatFigure(counts.pending),
    note: parts.filter((part) => part !== undefined).join(" · "),
    tone: tone === "rest" ? "normal" : tone,
    path: "/messages?state=pending",
  };
}

function failed({ counts, nextRetryInSeconds, judged }: Snapshot): TileFigure {
  const next =
    nextRetryInSeconds === null
      ? ""
      : nextRetryInSeconds <= 0
        ? "due now"
        : `next in ${formatDuration(nextRetryInSeconds)}`;
  return {
    label: "Failed",
    value: formatFigure(counts.failed),
    note: counts.failed.precision === "unknown" ? "" : counts.failed.value === 0 ? "none" : next,
    tone: TONES[judged.failed],
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
  const standing = rates.outPerSecond === 0 && snapshot.verdict.word === "not_delivering";
  return {
    label: "Published",
    value: rates.outPerSecond === null ? "–" : `${formatRate(rates.outPerSecond)}/s`,
    note: counts.published.precision === "unknown" ? "" : `${formatFigure(counts.published)} in the table`,
    tone: standing ? "bad" : rates.outPerSecond === null ? "rest" : "normal",
    path: "/messages?state=published",
  };
}

function relayTile({ relays, verdict }: Snapshot): TileFigure | undefined {
  if (relays === null) return undefined;
  const heartbeat =
    relays.heartbeatAgeSeconds === null
      ? "no heartbeat yet"
      : `heartbeat ${formatDuration(relays.heartbeatAgeSeconds)} ago`;
  const note =
    relays.paused !== null
      ? "paused on purpose"
      : relays.breaker !== null
        ? `${relays.breaker.sink} unavailable`
        : heartbeat;
  return {
    label: "Relays",
    value: `${relays.alive} of ${relays.known}`,
    note,
    tone: relays.alive === 0 ? TONES[verdict.status] : relays.paused !== null ? "warn" : "normal",
    path: "/relays",
  };
}
