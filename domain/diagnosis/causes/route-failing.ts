import { formatCount } from "../../format.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { RouteBreaker } from "../facts/relays.ts";
import {
  byAge,
  evidenceOf,
  formatInstant,
  messagesPath,
  shortError,
  shortName,
  verb,
  waitMoreThanRead,
  waits,
} from "../phrases.ts";
import { isForbidden, stepOfError, worksAtTimes } from "../sink-words.ts";
import { aliveRelays, hasPublishedSince } from "./no-relay-alive.ts";

export const routeFailing: Rule = {
  rule: "route_failing",
  title: "One route fails",
  definition:
    "All or most deliveries of one event type (or to one topic) fail while others get through. Its messages wait and are probed, and use up no attempts.",
  threshold: () =>
    "the relay's breaker for the route is open; a failure once the age limit is reached, a warning while nothing waits for it",
  needs: ["relays"],
  evaluate: (input) =>
    openRoutes(input).map((route) =>
      nothingWaits(input, route) ? draftOfUntried(input, route) : draftOf(input, route),
    ),
};

/** Open routes of all live relays: each route once, with its earliest failure. */
export function openRoutes(input: DiagnosisInput): RouteBreaker[] {
  const routes = new Map<string, RouteBreaker>();
  for (const route of aliveRelays(input).flatMap((one) => one.routes)) {
    const known = routes.get(`${route.kind} ${route.name}`);
    if (!known || route.since < known.since) routes.set(`${route.kind} ${route.name}`, route);
  }
  return [...routes.values()];
}

/**
 * Waiting messages of types that do not fail; 0 if unknown. With order per aggregate they may all wait behind those
 * that do.
 */
function othersThatWait(input: DiagnosisInput): number {
  const { figures, facts } = input;
  const routes = openRoutes(input);
  if (!figures.waitingKnown || !facts.waitingByType || routes.some(({ kind }) => kind !== "event_type")) return 0;
  const fails = ({ eventType }: { eventType: string }) => routes.some(({ name }) => name === eventType);
  // What lies beyond those that were read may all be of the failing types.
  if (waitMoreThanRead(input)) return sumOf(facts.waitingByType.filter((type) => !fails(type)));
  return Math.max(0, figures.waiting - sumOf(facts.waitingByType.filter(fails)));
}

function sumOf(types: readonly { messages: number }[]): number {
  return types.reduce((sum, { messages }) => sum + messages, 0);
}

/** More types are not listed. */
const LISTED_TYPES = 200;

/** True if no message is left with which the relay could try the route: they were archived, deleted or marked. */
function nothingWaits(input: DiagnosisInput, { kind, name }: RouteBreaker): boolean {
  const { figures, facts, settings } = input;
  if (settings.byLog || waitMoreThanRead(input)) return false;
  if (figures.waiting === 0) return true;
  // Types and figures are not read at one moment.
  const types = facts.waitingByType ?? [];
  if (kind !== "event_type" || types.length === 0 || types.length >= LISTED_TYPES) return false;
  if (figures.oldestClaimSeconds !== null) return false;
  return types.every(({ eventType }) => eventType !== name);
}

function draftOfUntried({ settings }: DiagnosisInput, route: RouteBreaker): CauseDraft {
  const name = shortName(route.name);
  const byType = route.kind === "event_type";
  return {
    key: `${route.kind} ${route.name}`,
    word: "at_risk",
    severity: "warn",
    title: byType ? "One event type failed" : "One topic failed",
    subject: name,
    what: `the last deliveries ${byType ? "of" : "to"} ${name} failed (${shortError(route.message)}), and no message waits now`,
    saysSince: false,
    diagnosis: "The next message tries it, so it is not known yet whether it works again.",
    nextStep:
      "Nothing is held up. See whether the receiver is repaired; the next message tries it. If messages were waiting and you do not know where they went, see who deleted, archived or marked their rows.",
    next: {
      label: `See its messages: ${name}`,
      path: messagesPath(settings.outbox, byType ? { eventType: route.name } : {}),
    },
    messages: null,
    aggregates: null,
    since: route.since,
    evidence: evidenceOf({
      Error: route.message,
      Code: route.code,
      "First failure": formatInstant(route.since),
    }),
  };
}

function draftOf(input: DiagnosisInput, route: RouteBreaker): CauseDraft {
  const { settings, facts, asOf } = input;
  const name = shortName(route.name);
  const byType = route.kind === "event_type";
  const waiting = byType
    ? (facts.waitingByType?.find(({ eventType }) => eventType === route.name)?.messages ?? null)
    : null;
  // What was published before the first failure proves nothing about the time since.
  const flows = aliveRelays(input).some((relay) => hasPublishedSince(relay, route.since, asOf));
  const capped = waitMoreThanRead(input);
  const others = flows ? 0 : othersThatWait(input);
  const atTimes = worksAtTimes(route);
  const to = `${byType ? "of" : "to"} ${name}`;
  const failing = atTimes ? `most deliveries ${to} fail` : `every delivery ${to} fails`;
  return {
    key: `${route.kind} ${route.name}`,
    word: others > 0 ? "not_delivering" : "in_part",
    severity: byAge(input),
    title: byType ? "One event type fails" : "One topic fails",
    subject: name,
    what: `${failing} (${shortError(route.message)})`,
    clauses: [
      waits(waiting, capped),
      // What was published last may be its own.
      flows && !atTimes ? `other ${byType ? "types" : "topics"} flow` : null,
      others > 0
        ? `nothing else is published, and ${capped ? "at least " : ""}${formatCount(others)} of other types ${verb(others, "waits", "wait")}`
        : null,
    ],
    diagnosis:
      "Its messages wait, the relay probes one at a time, and no attempts are used up. Later messages of their aggregates wait too, to keep order.",
    nextStep: `${stepOfError(route) ?? `${repairOf(route, byType ? `the receiver of ${name}` : `the topic ${name}`)}; the relay notices and delivers in order.`}${byType ? " To stop the probes, pause the type on Relays. Dead-letter its messages only if nobody needs them." : ""}`,
    next: {
      label: `See what waits: ${name}`,
      path: messagesPath(settings.outbox, { state: "unsent", ...(byType ? { eventType: route.name } : {}) }),
    },
    messages: waiting,
    messagesCapped: capped,
    aggregates: route.aggregates,
    since: route.since,
    evidence: evidenceOf({
      Error: route.message,
      Code: route.code,
      "Failing since": formatInstant(route.since),
      "Next probe": route.nextProbeAt ? formatInstant(route.nextProbeAt) : null,
    }),
  };
}

/** What a person may do about a route that fails like this, without a full stop. */
function repairOf({ code, message }: RouteBreaker, receiver: string): string {
  if (code === "unroutable")
    return "Create the topic, queue, binding or stream that the error names, or correct relay.route";
  if (isForbidden({ code, message })) return "Grant the sink's account the permission that the error names";
  if (code === "auth")
    return `Correct the credentials in the sink's section of outbox.yaml and restart the worker, or what ${receiver} accepts`;
  if (code === "timeout") return `See why ${receiver} takes so long`;
  if (code === "throttled") return `Make room at ${receiver}, or raise its limit`;
  return `Repair ${receiver}`;
}
