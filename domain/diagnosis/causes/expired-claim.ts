import { formatCount, formatLimit } from "../../format.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { ExpiredClaims } from "../facts/messages.ts";
import { ageOf, byAge, evidenceOf, formatMessages, messagesPath, pagePath, verb } from "../phrases.ts";

/** If claims have no time, claimed messages younger than this are not reported. */
export const UNDATED_SECONDS = 300;

export const expiredClaim: Rule = {
  rule: "expired_claim",
  title: "Expired claim",
  definition:
    "A relay claimed messages, then neither settled them nor renewed its lease: it died, hangs, or lost its database.",
  threshold: (settings) =>
    `claim expired more than ${formatLimit(settings.claimGraceSeconds)} ago; a message that the table only marks as claimed, created more than ${formatLimit(UNDATED_SECONDS)} ago`,
  needs: ["expiredClaims"],
  evaluate: (input) => {
    const found = input.facts.expiredClaims;
    if (!found || found.claims === 0) return [];
    return [found.claimedAtKnown ? draftOfExpired(input, found) : draftOfMarked(input, found)];
  },
};

function draftOfExpired(input: DiagnosisInput, found: ExpiredClaims): CauseDraft {
  const { settings, asOf } = input;
  const age = found.oldestAt ? ageOf(found.oldestAt, asOf) : null;
  const ours = settings.mode === "relay";
  const messages = formatMessages(found.messages, found.capped);
  // A publisher's name may be a text that is empty.
  const owners = found.owners.filter((name) => name.trim() !== "");
  const owner = owners[0] ?? "another program";
  return {
    ...common(found, owner),
    word: "in_part",
    severity: byAge(input),
    title: "Expired claim",
    what: `${messages} ${verb(found.messages, "is", "are")} still claimed by ${owner} and ${verb(found.messages, "has", "have")} not moved`,
    diagnosis: `The owner of ${verb(found.claims, "the claim", `the ${formatCount(found.claims)} claims`)} is gone${age ? `; the oldest claim was made ${age} ago` : ""}. The messages may or may not have reached the sink.`,
    nextStep: ours
      ? "Nothing has to be released: the next relay that takes the lease publishes them again, and consumers with an inbox ignore repeats. If none takes over, start a worker."
      : "Check whether the process that claimed them still runs before you retry them: if it does, they may be published twice.",
    next: ours
      ? { label: "See the relays", path: pagePath("relays", settings.outbox) }
      : { label: "See what is claimed", path: messagesPath(settings.outbox, { state: "unsent" }) },
    since: found.oldestAt,
    evidence: evidenceOf({ Claims: String(found.claims), Owners: owners.join(", "), "Oldest claim": age }),
  };
}

/** Only a warning, because creation is not claim time: an old message may have been claimed a second ago. */
function draftOfMarked({ settings, asOf }: DiagnosisInput, found: ExpiredClaims): CauseDraft {
  const messages = formatMessages(found.messages, found.capped);

  return {
    ...common(found, "another program"),
    word: "unknown",
    severity: "warn",
    title: "Claimed, age unknown",
    what: `${messages} ${verb(found.messages, "is", "are")} marked as claimed and ${verb(found.messages, "was", "were")} created more than ${formatLimit(UNDATED_SECONDS)} ago`,
    saysSince: false,
    clauses: ["the age of the claim is not known"],
    diagnosis: `The status of ${messages} says that another program is publishing ${verb(found.messages, "it", "them")}, and no column says when that claim expires. The claim may be a second or a day old.`,
    nextStep:
      "Check whether the process that claimed them still runs. If the table has a column for the claim's expiry, name it under columns.lockedUntil in outbox.yaml; expired claims are then found and can be retried.",
    next: { label: "See what is claimed", path: messagesPath(settings.outbox, { state: "in_flight" }) },
    since: null,
    evidence: evidenceOf({
      Messages: messages,
      "Oldest created": found.oldestAt ? `${ageOf(found.oldestAt, asOf)} ago` : null,
      "Age of the claim": "unknown",
    }),
  };
}

function common(found: ExpiredClaims, subject: string) {
  return { key: "claims", subject, messages: found.messages, messagesCapped: found.capped, aggregates: null };
}
