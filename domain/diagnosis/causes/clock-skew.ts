import { formatDuration, formatLimit } from "../../format.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import { evidenceOf, formatInstant, formatMessages, messagesPath, pagePath, verb } from "../phrases.ts";
import { aliveRelays } from "./no-relay-alive.ts";

export const clockSkew: Rule = {
  rule: "clock_skew",
  title: "Clock skew",
  definition:
    "The clock of a producer, a relay host or the console differs from the database's. A producer's clock that is ahead shows as messages created in the future.",
  threshold: (settings) => `more than ${formatLimit(settings.clockSkewSeconds)} in either direction`,
  needs: [],
  isComplete: ({ facts }) =>
    facts.clockSkew !== undefined && facts.relays !== undefined && facts.consoleClock !== undefined,
  evaluate: (input) => [...ofProducers(input), ...ofRelays(input), ...ofConsole(input)],
};

function ofProducers({ settings, facts, asOf }: DiagnosisInput): CauseDraft[] {
  const found = facts.clockSkew;
  if (!found || found.messages === 0) return [];
  const messages = formatMessages(found.messages, found.capped);
  const ahead = found.latestAt ? formatDuration((Date.parse(found.latestAt) - Date.parse(asOf)) / 1000) : null;
  const have = verb(found.messages, "has", "have");
  return [
    {
      ...common("clock", messages),
      what: `${messages} ${have} a creation time in the future${ahead ? `, by up to ${ahead},` : ""}`,
      diagnosis: `${verb(found.messages, "Its age and latency", "Their ages and latencies")} are wrong, and so is the order where it follows the creation time.`,
      nextStep:
        "Let the database set the creation time (DEFAULT now()), or correct the producer's clock; if whole hours are off, map the column's time zone in outbox.yaml.",
      next: { label: "See the messages", path: messagesPath(settings.outbox, { from: asOf }) },
      messages: found.messages,
      messagesCapped: found.capped,
      evidence: evidenceOf({
        Messages: messages,
        "Furthest ahead": ahead,
        "Latest creation": found.latestAt ? formatInstant(found.latestAt) : null,
      }),
    },
  ];
}

function ofRelays(input: DiagnosisInput): CauseDraft[] {
  const { settings } = input;
  return aliveRelays(input)
    .filter((one) => Math.abs(one.clockOffsetMs ?? 0) > settings.clockSkewSeconds * 1000)
    .map((one) => {
      const offset = describeOffset(one.clockOffsetMs ?? 0);
      return {
        ...common(`relay ${one.host}`, one.host),
        what: `the clock of relay host ${one.host} is ${offset} the database's`,
        diagnosis: `Times on these pages are the database's; the log of the relay (process ${one.pid}) is off by that much.`,
        nextStep: `Correct the clock of ${one.host}. Check that its time service runs.`,
        next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
        messages: null,
        evidence: evidenceOf({ Host: one.host, Offset: offset }),
      };
    });
}

function ofConsole({ settings, facts }: DiagnosisInput): CauseDraft[] {
  const offsetMs = facts.consoleClock?.offsetMs ?? 0;
  if (Math.abs(offsetMs) <= settings.clockSkewSeconds * 1000) return [];
  const offset = describeOffset(offsetMs);
  return [
    {
      ...common("console", "this console"),
      what: `the clock of this console's host is ${offset} the database's`,
      diagnosis: "Ages and times on these pages are the database's.",
      nextStep: "Correct the clock of the console's host. Check that its time service runs.",
      next: { label: "See the check", path: pagePath("settings", settings.outbox) },
      messages: null,
      evidence: evidenceOf({ Offset: offset }),
    },
  ];
}

function common(key: string, subject: string) {
  return {
    key,
    word: "at_risk" as const,
    severity: "warn" as const,
    title: "Clock skew",
    subject,
    aggregates: null,
    since: null,
  };
}

function describeOffset(offsetMs: number): string {
  return `${formatDuration(Math.abs(offsetMs) / 1000)} ${offsetMs > 0 ? "ahead of" : "behind"}`;
}
