import { ourCommand } from "#domain/text/our-command.ts";
import { judge } from "../../figures/limits.ts";
import { formatCount, formatPlural } from "../../format.ts";
import { normaliseError } from "../../message/fingerprint.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { DeadGroup } from "../facts/messages.ts";
import {
  ageSecondsOf,
  evidenceOf,
  formatInstant,
  formatMessages,
  formatSince,
  messagesPath,
  shortError,
  typeName,
  verb,
} from "../phrases.ts";

/** A group whose last message died within this time is a current trouble; older ones are leftovers. */
const RECENT_SECONDS = 600;
/** With this many deaths in the last minute, the last so long after the last publish, nothing gets through. */
const DEATHS_THAT_SAY_ALL = 3;
const AFTER_PUBLISH_SECONDS = 30;
/** This many of the largest groups become causes; the rest are on Failures. */
const MOST_SHOWN = 5;

export const deadLetters: Rule = {
  rule: "dead_letters",
  title: "Dead letters",
  definition: "Messages were given up on. Nothing retries them until someone acts.",
  threshold: ({ dead }) => `dead messages: warning ${limitOf(dead.warn)}, failure ${limitOf(dead.fail)}`,
  needs: [],
  isComplete: ({ figures }) => figures.deadKnown,
  evaluate: (input) => {
    if (input.figures.judged.dead === "pass") return [];
    const groups = (input.facts.dead ?? []).filter(({ code }) => code !== "unroutable");
    if ((input.facts.dead ?? []).length === 0) return [withoutGroups(input)];
    return groups.slice(0, MOST_SHOWN).map((group, rank) => draftOf(input, group, rank));
  },
};

export const unroutableType: Rule = {
  rule: "unroutable_type",
  title: "Unroutable type",
  definition:
    "Messages of a type died on their first attempt because no topic can be made for them: they lack a value that the route needs, or the name is not legal. A topic, queue or stream that does not exist holds its messages back instead.",
  threshold: () => "at least one among the newest 10,000 dead messages",
  needs: ["dead"],
  evaluate: (input) =>
    (input.facts.dead ?? [])
      .filter(({ code }) => code === "unroutable")
      .slice(0, MOST_SHOWN)
      .map((group, rank) => ({
        ...draftOf(input, group, rank),
        key: `type ${group.eventType ?? ""}`,
        title: "Unroutable type",
        nextStep: nextStepOfFailure("unroutable", group.error ?? "") ?? "",
      })),
};

function draftOf(input: DiagnosisInput, group: DeadGroup, rank: number): CauseDraft {
  const { settings, asOf } = input;
  const { eventType, messages, capped } = group;
  const type = typeName(eventType);
  const ofType = eventType === null ? "without a type" : `of ${type}`;
  const error = group.error || group.code || "the error was not recorded";
  const recent = group.lastAt !== null && ageSecondsOf(group.lastAt, asOf) <= RECENT_SECONDS;
  const nothingElse = recent && group.lastMinute > 0 && everythingDies(input);
  const dead = `${capped ? "at least " : ""}${formatPlural(messages, "message")} ${ofType} ${verb(messages, "is", "are")} dead`;
  return {
    key: group.fingerprint ?? keyOf(group, error),
    word: !recent ? "at_risk" : nothingElse ? "not_delivering" : "in_part",
    severity: nothingElse ? "fail" : severityOf(input, messages, rank),
    ...(recent ? {} : LEFTOVERS),
    ...withoutStart(capped),
    title: "Dead letters",
    subject: type,
    what: `${dead} (${shortError(error)})`,
    clauses: [
      group.lastMinute > 0 ? `${lastMinuteOf(group)} in the last minute` : null,
      nothingElse ? "nothing else is published" : null,
      !recent && group.lastAt ? `the last died at ${formatSince(group.lastAt, asOf)}` : null,
    ],
    diagnosis: `${verb(messages, "It is", "They are")} not tried again until someone acts.`,
    nextStep:
      "Read the error. Fix the receiver or the producer, then retry these messages; archive those that nobody needs.",
    next: {
      label: `See the dead letters: ${type}`,
      path: messagesPath(settings.outbox, {
        state: "dead",
        ...(group.fingerprint ? { group: group.fingerprint } : eventType ? { eventType } : {}),
      }),
    },
    messages,
    messagesCapped: capped,
    aggregates: null,
    since: group.firstAt,
    evidence: evidenceOf({
      Type: eventType,
      Error: error,
      Code: group.code,
      First: firstOf(group),
      Last: group.lastAt ? formatInstant(group.lastAt) : null,
      "In the last minute": lastMinuteOf(group),
    }),
  };
}

/** Of many only the newest are read, and the first of those is not the first that died. */
function withoutStart(capped: boolean): Pick<CauseDraft, "saysSince"> {
  return capped ? { saysSince: false } : {};
}

function firstOf({ firstAt, capped }: DeadGroup): string | null {
  return firstAt && `${formatInstant(firstAt)}${capped ? " or earlier" : ""}`;
}

/** The newest were read: if all of them died within the last minute, more may have. */
function lastMinuteOf({ lastMinute, messages, capped }: DeadGroup): string {
  return `${capped && lastMinute === messages ? "at least " : ""}${formatCount(lastMinute)}`;
}

/** Without the variable parts of the error: which of a group's texts is shown may change. */
function keyOf({ eventType, code }: DeadGroup, error: string): string {
  return `${eventType ?? ""} ${code ?? ""} ${normaliseError(error)}`;
}

const LEFTOVERS = { headline: "Dead letters wait", saysSince: false } as const;

function severityOf({ settings, figures }: DiagnosisInput, messages: number, rank: number): "warn" | "fail" {
  return judge(messages, settings.dead) === "fail" || (rank === 0 && figures.judged.dead === "fail") ? "fail" : "warn";
}

/** True if our relay publishes nothing and only gives up: then single messages are not to blame. */
function everythingDies({ settings, facts }: DiagnosisInput): boolean {
  const instances = facts.relays?.instances ?? [];
  if (settings.mode !== "relay" || instances.length === 0) return false;
  const dead = facts.dead ?? [];
  const died = dead.reduce((sum, { lastMinute }) => sum + lastMinute, 0);
  const last = dead.flatMap(({ lastAt }) => lastAt ?? []).reduce((one, other) => (one > other ? one : other), "");
  // Not by the age of the last publish: once an outbox is quiet, that alone says nothing.
  const flows = instances.some(
    ({ lastPublishedAt: at }) => at !== null && ageSecondsOf(at, last) <= AFTER_PUBLISH_SECONDS,
  );
  return died >= DEATHS_THAT_SAY_ALL && !flows;
}

/** 0 switches a limit off. */
function limitOf(count: number): string {
  return count > 0 ? `from ${formatCount(count)}` : "switched off";
}

/** For dead messages without a known error. */
function withoutGroups({ settings, figures }: DiagnosisInput): CauseDraft {
  const messages = formatMessages(figures.dead, figures.deadCapped);
  const dead = `${messages} ${verb(figures.dead, "is", "are")} dead`;
  return {
    key: "dead",
    word: "at_risk",
    severity: figures.judged.dead === "fail" ? "fail" : "warn",
    headline: "Dead letters wait",
    title: "Dead letters",
    subject: messages,
    what: dead,
    // Since when is only known by reading them one by one.
    saysSince: false,
    diagnosis: `Nothing retries ${verb(figures.dead, "it", "them")} until someone acts.`,
    nextStep: "Open them, read why they were given up on, and retry or archive them.",
    next: { label: "See the dead letters", path: messagesPath(settings.outbox, { state: "dead" }) },
    messages: figures.dead,
    messagesCapped: figures.deadCapped,
    aggregates: null,
    since: null,
    evidence: [],
  };
}

/** Next step for messages that died as `unroutable`; null for other codes, whose error says enough. */
export function nextStepOfFailure(code: string, error: string): string | null {
  if (code !== "unroutable") return null;
  const then = "then retry these messages.";
  if (/^The (topic|key|CloudEvent) cannot be made/.test(error))
    return `Correct relay.route in outbox.yaml, or the rows that lack the value, ${then} Until then every new one dies at once.`;
  return `Create the topic, queue, binding or stream that the error names, or correct relay.route (${ourCommand("doctor")} lists what is missing, where the broker can be asked), ${then}`;
}
