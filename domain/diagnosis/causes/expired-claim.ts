import { formatDuration, formatPlural } from "../../format.ts";
import type { Rule } from "../cause.ts";
import { ageOf, byAge, evidenceOf, formatMessages, messagesPath, pagePath, verb } from "../phrases.ts";

export const expiredClaim: Rule = {
  rule: "expired_claim",
  title: "Expired claim",
  definition: "A relay claimed messages and neither settled nor renewed: it died, hangs, or lost its database.",
  threshold: (settings) =>
    `claim expired more than ${formatDuration(settings.claimGraceSeconds)} ago; a claim of another program without an expiry after 5 m`,
  needs: ["expiredClaims"],
  evaluate: (input) => {
    const { settings, facts, asOf } = input;
    const found = facts.expiredClaims;
    if (!found || found.claims === 0) return [];
    const age = found.oldestAt ? ageOf(found.oldestAt, asOf) : null;
    const ours = settings.mode === "relay";
    const messages = formatMessages(found.messages);
    const owner = found.owners[0] ?? "another program";
    return [
      {
        key: "claims",
        word: "in_part",
        severity: byAge(input),
        title: "Expired claim",
        subject: owner,
        what: `${messages} ${verb(found.messages, "is", "are")} still claimed by ${owner} and ${verb(found.messages, "has", "have")} not moved`,
        diagnosis: `${messages} ${verb(found.messages, "is", "are")} held by ${formatPlural(found.claims, "claim")} whose owner is gone${age ? `; the oldest was made ${age} ago` : ""}. The messages may or may not have reached the sink.`,
        nextStep: ours
          ? "Nothing to release by hand: the next relay that takes the lease publishes them again, which consumers with an inbox absorb. If none takes over, start a worker."
          : "Check whether the process that claimed them still runs before you retry them: if it does, they may be published twice.",
        next: ours
          ? { label: "See the relays", path: pagePath("relays", settings.outbox) }
          : { label: "See what is claimed", path: messagesPath(settings.outbox, { state: "unsent" }) },
        messages: found.messages,
        aggregates: null,
        since: found.oldestAt,
        evidence: evidenceOf({ Claims: String(found.claims), Owners: found.owners.join(", "), "Oldest claim": age }),
      },
    ];
  },
};
