import { ourCommand } from "#domain/our-command.ts";
import { describeSlot, isTimed, isUnread, judgeSlot, SLOT_LAG_LIMITS } from "../../slot-lag.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { ForeignSlot } from "../facts/log-readers.ts";
import type { StreamReading } from "../facts/relays.ts";
import { evidenceOf, formatInstant, MISSED_BY_LOG, pagePath } from "../phrases.ts";

const GIGABYTE = 1e9;

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
    const ours = (input.facts.relays?.instances ?? []).find(({ stream }) => stream !== null);
    // Other rules judge the slot of the connector that publishes the outbox.
    const known = input.facts.connectorSlot?.slot;
    const foreign = (input.facts.foreignSlots ?? []).filter(
      (slot) => slot.slot !== known && judgeSlot(slot) !== "pass",
    );
    return [
      ...(ours?.stream && judgeSlot(ours.stream) !== "pass" ? [draftOfOurs(input, ours.stream)] : []),
      ...foreign.map((slot) => draftOfForeign(input, slot)),
    ];
  },
};

const GONE = "What was committed since can only be found in the table.";

function draftOfOurs({ settings }: DiagnosisInput, stream: StreamReading): CauseDraft {
  const timed = isTimed(stream.reader);
  const gone = stream.walStatus === "lost" || (stream.lagBytes === null && !timed);
  const grows = timed
    ? "The log to read grows until a relay reads it, and the server removes old files, read or not."
    : "The log grows until a relay reads it, or until the server invalidates the slot.";
  const anew = timed ? "lets the reader start again" : "creates a new slot";
  const released = timed
    ? `Start a relay, or bring its sink back: the reader continues as messages go out.${stream.reader === "binlog" ? " Let the server keep its files for longer (binlog_expire_logs_seconds)." : ""}`
    : "Start a relay, or bring its sink back: the log is released as messages go out. If nothing reads this slot any more, drop it yourself.";
  const unread = isUnread(stream);
  const repair = unread ? "repairs it" : anew;
  return {
    ...common(settings.outbox, stream),
    // The relay knows when it stopped reading; a slot that is gone has the start of its own cause.
    ...(unread ? { key: `slot ${stream.slot} unread`, since: stream.since, clauses: ["the log is not read"] } : {}),
    severity: judgeSlot(stream) === "fail" ? "fail" : "warn",
    diagnosis: gone
      ? GONE
      : unread
        ? `${stream.problem} ${MISSED_BY_LOG}`
        : [stream.problem, grows].filter(Boolean).join(" "),
    nextStep:
      gone || unread
        ? `Run ${ourCommand("doctor")} for the SQL that ${repair}. Until then a relay that marks rows polls the table; one with mark: none stops.`
        : released,
    evidence: evidenceOf({
      [timed ? "Reader of the log" : "Slot"]: stream.slot,
      [timed ? "Log to read" : "Log kept"]: kept(stream),
      ...(timed ? {} : { "WAL status": stream.walStatus }),
      Reader: `${stream.connected ? "reading" : "not reading"} since ${formatInstant(stream.since)}`,
    }),
  };
}

function draftOfForeign({ settings }: DiagnosisInput, slot: ForeignSlot): CauseDraft {
  return {
    ...common(settings.outbox, slot),
    severity: judgeSlot(slot) === "fail" && slot.walStatus !== "lost" ? "fail" : "warn",
    diagnosis: `The slot belongs to another program${slot.active ? ", which reads it too slowly" : ", which is not reading it now"}. The log grows until that program reads it, and a full disk stops every writer, the outbox's included.`,
    nextStep: `Find out who created the slot ${slot.slot}. If nobody needs it, \`${slot.dropStatement}\` releases the log; the console never does that.`,
    evidence: evidenceOf({
      Slot: slot.slot,
      "Log kept": kept(slot),
      "WAL status": slot.walStatus,
      Reader: slot.active ? "connected" : "not connected",
    }),
  };
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
