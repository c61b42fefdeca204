import { ourCommand } from "#domain/text/our-command.ts";
import { describeSlot, isGone, isTimed, isUnread, judgeSlot, SLOT_LAG_LIMITS } from "../../relay/slot-lag.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { ForeignSlot } from "../facts/log-readers.ts";
import type { StreamReading } from "../facts/relays.ts";
import { evidenceOf, formatInstant, MISSED_BY_LOG, pagePath } from "../phrases.ts";

const GIGABYTE = 1e9;

interface Ours {
  stream: StreamReading;
  lastPublishedAt: string | null;
}

export const slotLag: Rule = {
  rule: "slot_lag",
  title: "Replication slot",
  definition:
    "The server keeps a lot of log for a replication slot, ours or another program's, or our relay's slot or binlog reader is lost, far behind, or not read until someone repairs what keeps the relay from it. A full disk stops every writer.",
  threshold: () =>
    `${SLOT_LAG_LIMITS.warn / GIGABYTE} GB of log, a failure from ${SLOT_LAG_LIMITS.fail / GIGABYTE} GB; our slot is lost`,
  needs: [],
  isComplete: ({ facts }) => facts.relays !== undefined && facts.foreignSlots !== undefined,
  evaluate: (input) => {
    const instances = input.facts.relays?.instances ?? [];
    const ours = instances.find(({ stream }) => stream !== null);
    // Of whichever relay: one that has just started has published nothing yet.
    const lastPublishedAt =
      instances
        .flatMap((one) => one.lastPublishedAt ?? [])
        .toSorted()
        .at(-1) ?? null;
    // Other rules judge the slot of the connector that publishes the outbox.
    const known = input.facts.connectorSlot?.slot;
    const foreign = (input.facts.foreignSlots ?? []).filter(
      (slot) => slot.slot !== known && !(slot.own && ours) && judgeSlot(slot) !== "pass",
    );
    return [
      ...(ours?.stream && judgeSlot(ours.stream) !== "pass"
        ? [draftOfOurs(input, { stream: ours.stream, lastPublishedAt })]
        : []),
      ...foreign.map((slot) => draftOfForeign(input, slot)),
    ];
  },
};

const GONE = "Messages committed since then are in the table only.";
const GONE_UNMARKED = `${GONE} Nothing is published until a new slot exists, and a new slot starts at the moment of its creation.`;

function draftOfOurs({ settings }: DiagnosisInput, { stream, lastPublishedAt }: Ours): CauseDraft {
  const timed = isTimed(stream.reader);
  const unread = isUnread(stream);
  const stops = settings.byLog && (isGone(stream) || unread);
  return {
    ...common(settings.outbox, stream),
    // The relay knows when it stopped reading; a slot that is gone has the start of its own cause.
    ...(unread ? { key: `slot ${stream.slot} unread`, since: stream.since, clauses: ["the log is not read"] } : {}),
    severity: judgeSlot(stream) === "fail" ? "fail" : "warn",
    ...(stops ? NOTHING_IS_SENT : {}),
    diagnosis: diagnosisOf(stream, settings.byLog),
    nextStep: isGone(stream) && settings.byLog ? refill(stream, lastPublishedAt) : stepOf(stream, settings.byLog),
    evidence: evidenceOf({
      [timed ? "Reader of the log" : "Slot"]: stream.slot,
      [timed ? "Log to read" : "Log kept"]: kept(stream),
      ...(timed ? {} : { "WAL status": stream.walStatus }),
      Reader: `${stream.connected ? "reading" : "not reading"} since ${formatInstant(stream.since)}`,
    }),
  };
}

function diagnosisOf(stream: StreamReading, byLog: boolean): string {
  if (isGone(stream)) return byLog ? GONE_UNMARKED : GONE;
  if (isUnread(stream)) return `${stream.problem} ${MISSED_BY_LOG}`;
  const grows = isTimed(stream.reader)
    ? "The log to read grows until a relay reads it, and the server removes old files, read or not."
    : "The log grows until a relay reads it, or until the server invalidates the slot.";
  return [stream.problem, grows].filter(Boolean).join(" ");
}

/** A change stays in the log as the publication was when it was made. */
const LACKS_COLUMNS = /^The publication does not carry the columns\b/;

function stepPastColumns({ slot }: StreamReading): string {
  return `Run ${ourCommand("doctor")} for the SQL that lets the publication carry them. If doctor finds nothing, that is done, and the log from before still lacks them: stop the worker, run \`SELECT pg_replication_slot_advance('${slot}', pg_current_wal_lsn())\` in this database, and start it again. A relay that marks rows finds what was skipped in the table; with mark: none insert it again, as new rows.`;
}

function stepOf(stream: StreamReading, byLog: boolean): string {
  if (!isGone(stream) && LACKS_COLUMNS.test(stream.problem ?? "")) return stepPastColumns(stream);
  const repair = isUnread(stream) ? "repairs it" : anew(stream);
  if (isGone(stream) || isUnread(stream))
    return `Run ${ourCommand("doctor")} for the SQL that ${repair}. Until then a relay that marks rows polls the table; with mark: none it stops.`;
  if (!isTimed(stream.reader))
    return `Start a relay, or bring its sink back: the log is released as messages go out. If nothing reads this slot any more, drop it yourself${byLog ? ": what it has not read is then not sent" : ""}.`;
  return `Start a relay, or bring its sink back: the reader continues as messages go out.${stream.reader === "binlog" ? " Let the server keep its files for longer (binlog_expire_logs_seconds)." : ""}`;
}

/** Without marks, neither the table nor a new slot says what is still to be sent. */
function refill(stream: StreamReading, lastPublishedAt: string | null): string {
  const when =
    lastPublishedAt === null
      ? "before that moment and not published"
      : `between the last publish (${formatInstant(lastPublishedAt)}) and that moment`;
  return `Run ${ourCommand("doctor")} for the SQL that ${anew(stream)}. Then insert again, as new rows, what was committed ${when}: neither the rows nor the log show whether it was sent.`;
}

function anew({ reader }: StreamReading): string {
  return isTimed(reader) ? "lets the reader start again" : "creates a new slot";
}

/** Where no relay reads the log, nothing else finds what is committed. */
const NOTHING_IS_SENT = { word: "not_delivering", severity: "fail" } as const;

function draftOfForeign({ settings }: DiagnosisInput, slot: ForeignSlot): CauseDraft {
  const judged = { severity: judgeSlot(slot) === "fail" && slot.walStatus !== "lost" ? "fail" : "warn" } as const;
  if (slot.own) return { ...common(settings.outbox, slot), ...judged, ...unreported(slot) };
  return {
    ...common(settings.outbox, slot),
    ...judged,
    diagnosis: `The slot belongs to another program${slot.active ? ", which reads it too slowly" : ", which is not reading it now"}. The log grows until that program reads it, and a full disk stops every writer, the outbox's included.`,
    nextStep: `Find out who created the slot ${slot.slot}. If nobody needs it, \`${slot.dropStatement}\` releases the log; the console never does that.`,
    evidence: evidenceOfSlot(slot),
  };
}

/** Ours by its name, as after `migrate --cdc`, before a relay has read it. */
function unreported(slot: ForeignSlot) {
  return {
    diagnosis:
      "It is the slot of this outbox, and no relay has reported that it reads it. The log grows until one does, and a full disk stops every writer, the outbox's included.",
    nextStep: `Start a worker (${ourCommand("worker")}): the log is released as messages go out. If no relay is to read this slot any more, \`${slot.dropStatement}\` releases the log; the console never does that.`,
    evidence: evidenceOfSlot(slot),
  };
}

function evidenceOfSlot(slot: ForeignSlot) {
  return evidenceOf({
    Slot: slot.slot,
    "Log kept": kept(slot),
    "WAL status": slot.walStatus,
    Reader: slot.active ? "connected" : "not connected",
  });
}

const TITLES = { slot: "Replication slot", binlog: "Binlog reader", stream: "Stream reader" } as const;

function common(outbox: string, slot: Pick<StreamReading, "slot" | "lagBytes" | "walStatus"> & Partial<StreamReading>) {
  const text = describeSlot(slot).replace(/\.$/, "");
  return {
    key: `slot ${slot.slot}`,
    word: "at_risk" as const,
    title: TITLES[slot.reader ?? "slot"],
    subject: slot.slot,
    ...(/about to remove|is lost/.test(text) ? { saysSince: false as const } : {}),
    what: text.charAt(0).toLowerCase() + text.slice(1),
    next: {
      label: `See the ${isTimed(slot.reader) ? "reader" : "slot"}: ${slot.slot}`,
      path: pagePath("stuck", outbox),
    },
    messages: null,
    aggregates: null,
    since: null,
  };
}

function kept({ lagBytes }: { lagBytes: number | null }): string | null {
  return lagBytes === null ? null : `${Math.ceil(lagBytes / 1e6)} MB`;
}
