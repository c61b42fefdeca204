import type { CountFigure, OutboxFigures, StateCounts } from "#db/stores/port/outbox-figures.ts";
import type { RelayRow } from "#db/stores/port/relay-rows.ts";
import { cdcNames } from "../config/cdc-names.ts";
import { RELAY_SILENT_SECONDS } from "../diagnosis/settings-of.ts";
import type { OutboxHandle } from "../runtime.ts";
import { outboxOf } from "./outbox-of.ts";
import { lacksOwnTables, withoutRecorded } from "./own-tables.ts";
import { areRowsHidden } from "./row-security.ts";

/**
 * Counts, ages, relays and pauses of one outbox, from one snapshot. Unknown if the table is locked or rows are hidden.
 * Without the console's own tables the counts that come from them are unknown too.
 */
export async function readFigures(handle: OutboxHandle): Promise<OutboxFigures> {
  const read = await outboxOf(handle).read.figures();
  const counts = lacksOwnTables(handle) ? withoutRecorded(read.counts) : read.counts;
  const figures = { ...read, counts, relays: read.relays.map((relay) => withoutOldSigns(relay, handle)) };
  return areRowsHidden(handle, figures) || figures.tableLocked ? asUnknown(figures) : figures;
}

/**
 * Of a relay that has ended, drops the log problem, because only heartbeats report one and it may be over; and its
 * place in the log if the outbox is not read from there any more.
 */
function withoutOldSigns(relay: RelayRow, { name, config }: OutboxHandle): RelayRow {
  const heard = relay.state !== "stopped" && relay.heartbeatAgeSeconds < RELAY_SILENT_SECONDS;
  if (heard || relay.stream === null) return relay;
  const { stream } = relay;
  const isRead =
    config.relay?.source === "cdc" &&
    (stream.reader !== "slot" || stream.slot === cdcNames(name, config.relay.cdc).reader);
  return { ...relay, stream: isRead ? { ...stream, problem: null } : null };
}

/** Marks the counts as unknown: hidden rows make them partial, a locked table makes them empty. */
function asUnknown(figures: OutboxFigures): OutboxFigures {
  const unknown = (figure: CountFigure): CountFigure => ({ ...figure, precision: "unknown" });
  const { archived, ...inTable } = figures.counts;
  const counts = Object.fromEntries(Object.entries(inTable).map(([state, figure]) => [state, unknown(figure)]));
  const { waiting } = figures;
  return {
    ...figures,
    counts: { ...(counts as Omit<StateCounts, "archived">), archived },
    waiting: { ...waiting, oldestKnown: false, scheduled: unknown(waiting.scheduled), deadLast24h: null },
  };
}
