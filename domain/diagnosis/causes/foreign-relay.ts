import { formatCount, formatPlural } from "../../format.ts";
import { SEES_FOREIGN, WAITED_FOR_FOREIGN, WAITS_FOR_FOREIGN } from "../../relay/foreign-marks.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { RelayReading } from "../facts/relays.ts";
import { ageSecondsOf, allWaits, endSentence, evidenceOf, formatInstant, heldUp, pagePath } from "../phrases.ts";
import { aliveRelays } from "./no-relay-alive.ts";

/** A relay also holds while its sink is down, so its state alone does not tell. */
const FOREIGN_WORDS = [WAITS_FOR_FOREIGN, WAITED_FOR_FOREIGN];
const RECENT_SECONDS = 60;

export function isOfOthersMarks(error: string): boolean {
  return [...FOREIGN_WORDS, SEES_FOREIGN].some((words) => error.startsWith(words));
}

export const foreignRelay: Rule = {
  rule: "foreign_relay",
  title: "Foreign relay",
  definition: "Something other than this program marks messages of the same table as published.",
  threshold: () => "messages published by someone else in the last minute",
  needs: ["relays"],
  evaluate: (input) => {
    const alive = aliveRelays(input);
    const holding = alive.find(
      ({ state, breaker, lastError }) =>
        state === "holding" && breaker === null && FOREIGN_WORDS.some((words) => lastError?.startsWith(words)),
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
    what: "something else marks messages of this table as published, so our relay holds back",
    clauses: [allWaits(input)],
    diagnosis: `Something else marks rows of this table as published. Two relays would deliver messages twice and out of order, so ours waits until nothing has been marked for a minute.${holding.lastError ? ` Its last error: ${endSentence(holding.lastError)}` : ""}`,
    nextStep:
      "Stop the other relay, and ours takes over. To keep the other one, set mode: operate for this outbox. If there is none, a statement marked rows that were never sent: compare them with the consumers and re-publish those that are missing there. Set relay.force: true only if you are sure that nothing else publishes.",
    next: { label: "See the relays", path: pagePath("relays", input.settings.outbox) },
    ...heldUp(input),
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
    ...wordsOf(claimed, unclaimed),
    next: { label: "See the relays", path: pagePath("relays", input.settings.outbox) },
    messages: taken,
    messagesCapped: true,
    aggregates: null,
    since,
    evidence: evidenceOf({
      "Sent by us, marked or removed by it": formatCount(claimed),
      "Never claimed by us": `at least ${formatCount(unclaimed)}`,
      "Last seen": formatInstant(last),
      "Our relays": racing.map((one) => `${one.host}, process ${one.pid}`).join("; "),
    }),
  };
}

/** Who marked a row does not say who sent its message: a relay, or nobody where a person or a script marked it. */
function wordsOf(claimed: number, unclaimed: number): Pick<CauseDraft, "what" | "clauses" | "diagnosis" | "nextStep"> {
  if (unclaimed === 0)
    return {
      what: `something else marked as published, or removed, at least ${formatPlural(claimed, "message")} that our relay was sending`,
      clauses: ["if it is another relay, consumers get them twice and out of order"],
      diagnosis:
        "Something other than this program marks messages of this table as published, or removes them, while our relay sends them. Our relay has sent these messages, so none of them is lost; another relay would have sent them too, and out of order.",
      nextStep: `${FIND_IT} ${IF_REMOVED}`,
    };
  return {
    what: `something else marked at least ${formatPlural(unclaimed, "message")} as published that our relay has not sent`,
    clauses: [
      "another relay sent them, or nobody did",
      claimed > 0 ? `${formatCount(claimed)} more while ours was sending them` : null,
    ],
    diagnosis:
      "Something else marks rows of this table as published. Either another relay sent them, and consumers may get messages twice and out of order; or an application, a script, a person, a trigger of the table or a default of the column marked them, and they will never be sent.",
    nextStep: `${FIND_IT} If there is none, find what marked the rows, compare them with what the consumers have, and re-publish what these lack.`,
  };
}

const IF_REMOVED =
  "If there is none, find what removed or marked the rows: a clean-up job, DELETE or TRUNCATE. It may have removed other messages before they were sent; a backup has those, and this page does not count them.";

const FIND_IT =
  "Look for another relay (an older worker, the service's own publisher) and stop it; or set mode: operate here and let it publish.";
