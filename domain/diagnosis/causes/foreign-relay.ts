import { formatCount, formatPlural } from "../../format.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { RelayReading } from "../facts.ts";
import { ageSecondsOf, allWaits, endSentence, evidenceOf, formatInstant, pagePath } from "../phrases.ts";
import { aliveRelays } from "./no-relay-alive.ts";

/** Start of the error with which a relay holds for another relay; it also holds while its sink is down. */
const FOREIGN_WORDS = "Another relay published";
const RECENT_SECONDS = 60;

export const foreignRelay: Rule = {
  rule: "foreign_relay",
  title: "Foreign relay",
  definition: "Something other than this program marks messages of the same table as published.",
  threshold: () => "messages published by someone else in the last minute",
  needs: ["relays"],
  evaluate: (input) => {
    const alive = aliveRelays(input);
    const holding = alive.find(
      (one) => one.state === "holding" && one.breaker === null && one.lastError?.startsWith(FOREIGN_WORDS),
    );
    if (holding) return [draftOfHolding(input, holding)];
    const racing = alive.filter(
      (one) => one.foreignLastAt !== null && ageSecondsOf(one.foreignLastAt, input.asOf) <= RECENT_SECONDS,
    );
    return racing.length > 0 ? [draftOfRacing(input, racing)] : [];
  },
};

function draftOfHolding(input: DiagnosisInput, holding: RelayReading): CauseDraft {
  return {
    key: "relay",
    word: "not_delivering",
    severity: "fail",
    title: "Foreign relay",
    subject: "someone else publishes this table",
    what: "another relay publishes this table, so ours holds back",
    clauses: [allWaits(input)],
    diagnosis: `Something other than this program marks messages of this table as published, so our relay holds back: two relays would deliver twice and out of order.${holding.lastError ? ` It says: ${endSentence(holding.lastError)}` : ""}`,
    nextStep:
      "Stop the other relay, and ours takes over. If the other one is to stay, set mode: operate for this outbox. Set relay.force: true only if you are sure that nothing else publishes.",
    next: { label: "See the relays", path: pagePath("relays", input.settings.outbox) },
    messages: input.figures.waiting,
    aggregates: null,
    since: null,
    evidence: evidenceOf({
      "Our relay": `${holding.host}, process ${holding.pid}, holding`,
      "It says": holding.lastError,
    }),
  };
}

function draftOfRacing(input: DiagnosisInput, racing: readonly RelayReading[]): CauseDraft {
  const sum = (count: (one: RelayReading) => number) => racing.reduce((total, one) => total + count(one), 0);
  const [claimed, unclaimed] = [sum((one) => one.foreignPublished), sum((one) => one.foreignUnclaimed)];
  const taken = claimed + unclaimed;
  const since = racing.flatMap((one) => one.foreignSince ?? []).sort()[0] ?? null;
  const last =
    racing
      .map((one) => one.foreignLastAt ?? "")
      .sort()
      .at(-1) ?? "";
  return {
    key: "relay",
    word: "at_risk",
    severity: "warn",
    title: "Foreign relay",
    subject: "someone else publishes this table too",
    what: `another relay publishes this table as well and took at least ${formatPlural(taken, "message")}`,
    clauses: ["consumers may get them twice and out of order"],
    diagnosis:
      "Something other than this program marks messages of this table as published while our relay works on them. Nothing is lost, but messages may be delivered twice and out of order.",
    nextStep:
      "Find the other relay (an older worker, the service's own publisher) and stop it; or set mode: operate here and let the other one publish.",
    next: { label: "See the relays", path: pagePath("relays", input.settings.outbox) },
    messages: taken,
    aggregates: null,
    since,
    evidence: evidenceOf({
      "Claimed by us, published by it": formatCount(claimed),
      "Never claimed by us": `at least ${formatCount(unclaimed)}`,
      "Last seen": formatInstant(last),
      "Our relays": racing.map((one) => `${one.host}, process ${one.pid}`).join("; "),
    }),
  };
}
