import { formatDuration } from "#domain/format.ts";
import { describeWithheld } from "#domain/withheld.ts";
import type { Rule } from "../rule.ts";
import { ageOf, ageSecondsOf, evidenceOf, formatInstant, formatMessages, relaysHref, verb } from "../rule-words.ts";
import { isAlive } from "./no-relay-alive.ts";

export const noProgress: Rule = {
  rule: "no_progress",
  title: "No progress",
  definition: "A relay is alive, its sink is not known to be down, due messages wait, and still nothing is published.",
  threshold: (settings) =>
    `nothing published for ${formatDuration(settings.noProgressSeconds)} while due messages wait`,
  needs: ["relays", "waiting"],
  evaluate: ({ settings, facts, asOf }) => {
    const { relays, waiting } = facts;
    if (!relays || !waiting || relays.pause || waiting.due === 0 || waiting.oldestDueAt === null) return [];
    const alive = relays.instances.filter((one) => isAlive(one, settings, asOf));
    const [owner = alive[0]] = alive.filter((one) => one.state === "owner");
    if (!owner || alive.some((one) => one.breaker !== null || one.state === "holding")) return [];
    const published = alive.flatMap((one) => (one.lastPublishedAt ? [one.lastPublishedAt] : [])).sort();
    const last = published.at(-1) ?? null;
    const tooLong = (at: string) => ageSecondsOf(at, asOf) > settings.noProgressSeconds;
    if (!tooLong(waiting.oldestDueAt) || (last !== null && !tooLong(last))) return [];
    const withheld = describeWithheld(relays.partial);
    const waits = formatMessages(waiting.due, waiting.capped);
    return [
      {
        key: "progress",
        severity: withheld === null ? "fail" : "warn",
        title: "No progress",
        subject: last ? `last published ${ageOf(last, asOf)} ago` : "nothing published yet",
        diagnosis: `The relay (process ${owner.pid} on ${owner.host}) is alive and its sink is not known to be down, but ${last ? `it has published nothing for ${ageOf(last, asOf)}` : "it has published nothing so far"}, while ${waits} ${verb(waiting.due, "waits", "wait")} since ${formatInstant(waiting.oldestDueAt)}.${withheld === null ? "" : ` Of this outbox ${withheld}: that may be all that waits.`}`,
        nextStep: `${withheld === null ? "" : "Relays lists what is paused or held: deal with the dead messages, or resume. If more than that waits: "}Look at the relay's last error and its log, and at old transactions here: an open transaction can keep rows from it. Restarting the worker is safe and repeats at most what is in flight.`,
        href: relaysHref(settings.outbox),
        messages: waiting.due,
        aggregates: null,
        since: last && last > waiting.oldestDueAt ? last : waiting.oldestDueAt,
        evidence: evidenceOf({
          Relay: `${owner.host}, process ${owner.pid}, ${owner.state}`,
          "Last published": last ? formatInstant(last) : "never by this relay",
          "Last error": owner.lastError,
          Withheld: withheld,
          "Oldest due since": formatInstant(waiting.oldestDueAt),
          Waiting: waits,
        }),
      },
    ];
  },
};
