import { describeSlot, judgeSlot, SLOT_LAG_LIMITS } from "#domain/slot-lag.ts";
import type { Rule } from "../rule.ts";
import { evidenceOf, formatInstant, relaysHref } from "../rule-words.ts";

const GIGABYTE = 1e9;

export const slotLag: Rule = {
  rule: "slot_lag",
  title: "Replication slot lag",
  definition:
    "The server keeps much log for the slot by which a relay notices messages, or the slot is gone: a full disk stops every writer.",
  threshold: () => `${SLOT_LAG_LIMITS.warn / GIGABYTE} GB of log, or the slot is lost`,
  needs: ["relays"],
  evaluate: ({ settings, facts }) => {
    // The latest heartbeat first; an instance that ended says what it read last.
    const one = (facts.relays?.instances ?? []).find(({ stream }) => stream !== null);
    if (!one?.stream) return [];
    const { stream } = one;
    const status = judgeSlot(stream);
    if (status === "pass") return [];
    const gone = stream.lagBytes === null || stream.walStatus === "lost";
    return [
      {
        key: `slot ${stream.slot}`,
        severity: status,
        title: "Replication slot lag",
        subject: stream.slot,
        diagnosis: `${describeSlot(stream)} ${gone ? "What was committed since can only be found in the table." : "It grows until a relay reads it, or until the server gives the slot up."}`,
        nextStep: gone
          ? "Run npm run doctor for the SQL that makes another slot. A relay that marks rows polls the table meanwhile; one with mark: none stops until there is a slot."
          : "Start a relay, or bring its sink back: the log goes as messages do. If nothing reads this slot any more, drop it by hand.",
        href: relaysHref(settings.outbox),
        messages: null,
        aggregates: null,
        since: null,
        evidence: evidenceOf({
          Slot: stream.slot,
          "Log kept": stream.lagBytes === null ? null : `${Math.ceil(stream.lagBytes / 1e6)} MB`,
          "WAL status": stream.walStatus,
          Relay: `${one.host}, process ${one.pid}, ${stream.connected ? "reading" : "not reading"} since ${formatInstant(stream.since)}`,
        }),
      },
    ];
  },
};
