import { formatDuration } from "../../format.ts";
import { describeWithheld } from "../../withheld.ts";
import type { Rule } from "../cause.ts";
import {
  ageOf,
  ageSecondsOf,
  allWaits,
  before,
  byAge,
  evidenceOf,
  formatInstant,
  pagePath,
  shortError,
} from "../phrases.ts";
import { aliveRelays } from "./no-relay-alive.ts";

export const noProgress: Rule = {
  rule: "no_progress",
  title: "No progress",
  definition: "A relay is alive, its sink is not known to be down, due messages wait, and still nothing is published.",
  threshold: (settings) =>
    `nothing published for ${formatDuration(settings.noProgressSeconds)} while due messages wait`,
  needs: ["relays", "waiting"],
  evaluate: (input) => {
    const { settings, facts, figures, asOf } = input;
    const { relays, waiting } = facts;
    if (!relays || !waiting || relays.pause) return [];
    const alive = aliveRelays(input);
    const [owner = alive[0]] = alive.filter((one) => one.state === "owner" || one.state === "holding");
    if (!owner || alive.some((one) => one.breaker !== null)) return [];
    const claimed = figures.oldestClaimSeconds ?? 0;
    const dueAt = waiting.oldestDueAt ?? (claimed > 0 ? before(asOf, claimed) : null);
    if (dueAt === null || (waiting.due === 0 && claimed < settings.noProgressSeconds)) return [];
    const last =
      alive
        .flatMap((one) => (one.lastPublishedAt ? [one.lastPublishedAt] : []))
        .sort()
        .at(-1) ?? null;
    const tooLong = (at: string) => ageSecondsOf(at, asOf) > settings.noProgressSeconds;
    if (!tooLong(dueAt) || (last !== null && !tooLong(last))) return [];
    const withheld = describeWithheld(relays.partial);
    const holds = owner.state === "holding" && owner.lastError !== null ? `: ${shortError(owner.lastError)}` : "";
    return [
      {
        key: "progress",
        word: withheld === null ? "not_delivering" : "in_part",
        severity: withheld === null ? "fail" : byAge(input),
        title: "No progress",
        subject: `process ${owner.pid} on ${owner.host}`,
        what: `the relay is alive and publishes nothing${holds}`,
        clauses: [allWaits(input), withheld],
        diagnosis: `The relay (process ${owner.pid} on ${owner.host}) is alive and its sink is not known to be down, but ${last ? `it has published nothing for ${ageOf(last, asOf)}` : "it has published nothing so far"}, while messages have been due since ${formatInstant(dueAt)}.${claimed >= settings.noProgressSeconds ? ` It has held a batch for ${formatDuration(claimed)} and cannot finish it.` : ""}${withheld === null ? "" : ` Of this outbox ${withheld}: that may be all that waits.`}`,
        nextStep: `${withheld === null ? "" : "Relays lists what is paused or held: deal with the dead messages, or resume. If more than that waits: "}Read the relay's last error and its log, and look here for old transactions: an open transaction can keep rows from it. Restarting the worker is safe and repeats at most what is in flight.`,
        next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
        messages: figures.waiting,
        aggregates: null,
        since: last && last > dueAt ? last : dueAt,
        evidence: evidenceOf({
          Relay: `${owner.host}, process ${owner.pid}, ${owner.state}`,
          "Last published": last ? formatInstant(last) : "never by this relay",
          "Last error": owner.lastError,
          Withheld: withheld,
          "Oldest claim": claimed > 0 ? formatDuration(claimed) : null,
          "Oldest due since": formatInstant(dueAt),
        }),
      },
    ];
  },
};
