import type { TileFigure } from "#components/tiles/tile-figures.ts";
import { formatFigure } from "#components/ui/format/format-figure.ts";
import { sumFigures } from "#components/ui/format/sum-figures.ts";
import type { Figure } from "#contracts/common.ts";
import type { OutboxList, OutboxSummary } from "#contracts/outbox/outboxes.ts";
import { formatCount, formatDuration, formatMs, formatPlural, formatRate } from "#domain/format.ts";
import { toneOfOldest } from "./row-tones.ts";

/** Six figures over all outboxes, in the order of on-call questions; each names the outbox behind it. */
export function fleetFigures(list: OutboxList): TileFigure[] {
  const known = list.outboxes.filter((outbox) => outbox.figures !== null);
  const unread = list.outboxes.length - known.length;
  const missing = unread === 0 ? undefined : `without ${formatPlural(unread, "outbox", "outboxes")}`;
  const figures = [oldest(known, missing), waiting(known, missing), rates(known), dead(known, missing), relays(known)];
  if (known.length > 0 || missing === undefined) return [...figures, stores(list)];
  const nothing = { value: "–", unit: undefined, note: missing, tone: "rest" } as const;
  return [...figures.map((figure) => ({ ...figure, ...nothing })), stores(list)];
}

function oldest(outboxes: readonly OutboxSummary[], missing: string | undefined): TileFigure {
  const worst = largest(outboxes, (outbox) => outbox.figures?.oldestPendingSeconds ?? null);
  const seconds = worst?.figures?.oldestPendingSeconds ?? null;
  return {
    label: "Oldest",
    value: seconds === null ? "–" : formatDuration(seconds),
    note: worst?.name ?? missing ?? "nothing waiting",
    tone: worst === undefined ? "rest" : (toneOfOldest(worst) ?? "normal"),
    path: linkTo("/messages?state=unsent", worst),
  };
}

function waiting(outboxes: readonly OutboxSummary[], missing: string | undefined): TileFigure {
  const sum = sumFigures(outboxes.map(waitingOf));
  const most = largest(outboxes, (outbox) => waitingOf(outbox).value || null);
  const share = most && `${formatFigure(waitingOf(most))} in ${most.name}`;
  return {
    label: "Waiting",
    value: formatFigure(sum),
    note: missing ?? (sum.value === 0 ? "nothing" : (share ?? "")),
    tone: "normal",
    path: linkTo("/messages?state=unsent", most),
  };
}

function rates(outboxes: readonly OutboxSummary[]): TileFigure {
  const inSum = addRates(outboxes.map((outbox) => outbox.figures?.inPerSecond));
  const outSum = addRates(outboxes.map((outbox) => outbox.figures?.outPerSecond));
  const fastest = largest(outboxes, (outbox) => outbox.figures?.outPerSecond || null);
  const out = fastest?.figures?.outPerSecond ?? null;
  const unknown = inSum.unknown > 0 ? `not known for ${formatPlural(inSum.unknown, "outbox", "outboxes")}` : undefined;
  const share = fastest && out !== null ? `${formatRate(out)} out in ${fastest.name}` : "";
  return {
    label: "In and out",
    value: inSum.sum === null ? "–" : formatRate(inSum.sum),
    unit: inSum.sum === null ? undefined : `/ ${outSum.sum === null ? "–" : formatRate(outSum.sum)} per second`,
    note: unknown ?? share,
    tone: inSum.sum === null ? "rest" : "normal",
    path: linkTo("/", fastest),
  };
}

function dead(outboxes: readonly OutboxSummary[], missing: string | undefined): TileFigure {
  const sum = sumFigures(outboxes.map((outbox) => outbox.figures?.dead ?? NOTHING));
  const most = largest(outboxes, (outbox) => outbox.figures?.dead.value || null);
  const share = most?.figures && `${formatFigure(most.figures.dead)} in ${most.name}`;
  return {
    label: "Dead",
    value: formatFigure(sum),
    note: missing ?? share ?? "none",
    tone: sum.value > 0 ? "dead" : "normal",
    path: linkTo("/messages?state=dead", most),
  };
}

function relays(outboxes: readonly OutboxSummary[]): TileFigure {
  const served = outboxes.flatMap((outbox) => (outbox.figures?.relays ? [{ outbox, ...outbox.figures.relays }] : []));
  const alive = served.reduce((sum, relay) => sum + relay.alive, 0);
  const known = served.reduce((sum, relay) => sum + relay.known, 0);
  const without = served.filter((relay) => relay.alive === 0).map((relay) => relay.outbox.name);
  const [first, ...more] = without;
  const note =
    first !== undefined
      ? more.length === 0
        ? `${first} has none`
        : `${first} and ${more.length} more have none`
      : served.length === outboxes.length
        ? ""
        : `${formatCount(outboxes.length - served.length)} published by others`;
  return {
    label: "Relays",
    value: served.length === 0 ? "–" : `${formatCount(alive)} of ${formatCount(known)}`,
    note: served.length === 0 ? "others publish" : note,
    tone: served.length === 0 ? "rest" : without.length > 0 ? "bad" : "normal",
    path: "/relays",
  };
}

function stores(list: OutboxList): TileFigure {
  const answering = list.stores.filter((store) => store.answers);
  const silent = list.stores.find((store) => !store.answers);
  const unread = list.stores.find((store) => store.answersMs === null && store.outboxes > 0);
  const slowestMs = Math.max(...list.stores.flatMap((store) => store.answersMs ?? []));
  const note = Number.isFinite(slowestMs) ? `slowest answers in ${formatMs(slowestMs)}` : "";
  return {
    label: "Stores",
    value: `${answering.length} of ${list.stores.length}`,
    note: silent ? `${silent.name} does not answer` : unread ? `no figures from ${unread.name}` : note,
    tone: silent === undefined ? "normal" : "bad",
    path: "/#stores",
  };
}

const NOTHING: Figure = { value: 0, precision: "exact" };

/** Pending, failed and in flight: every message still to be sent, as the banner counts them. */
export function waitingOf({ figures }: OutboxSummary): Figure {
  return figures === null ? NOTHING : sumFigures([figures.pending, figures.failed, figures.inFlight]);
}

function largest(
  outboxes: readonly OutboxSummary[],
  read: (outbox: OutboxSummary) => number | null,
): OutboxSummary | undefined {
  let best: OutboxSummary | undefined;
  for (const outbox of outboxes) {
    const value = read(outbox);
    if (value !== null && value > ((best && read(best)) ?? Number.NEGATIVE_INFINITY)) best = outbox;
  }
  return best;
}

function addRates(values: readonly (number | null | undefined)[]): { sum: number | null; unknown: number } {
  const known = values.filter((value) => value !== null && value !== undefined);
  return {
    sum: known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0),
    unknown: values.length - known.length,
  };
}

function linkTo(path: string, outbox: OutboxSummary | undefined): string {
  if (outbox === undefined) return path.startsWith("/messages") ? path : "/";
  return `${path}${path.includes("?") ? "&" : "?"}outbox=${encodeURIComponent(outbox.name)}`;
}
