import { formatDuration, formatPlural } from "#domain/format.ts";
import type { Rule } from "../rule.ts";
import { ageOf, evidenceOf, formatMessages, messagesHref, relaysHref, verb } from "../rule-words.ts";

export const expiredClaim: Rule = {
  rule: "expired_claim",
  title: "Expired claim",
  definition: "A relay claimed messages and neither settled nor renewed: it died, hangs, or lost its database.",
  threshold: (settings) => `claim expired more than ${formatDuration(settings.claimGraceSeconds)} ago`,
  needs: ["expiredClaims"],
  evaluate: ({ settings, facts, asOf }) => {
    const { expiredClaims: found } = facts;
    if (!found || found.claims === 0) return [];
    const age = found.oldestAt ? ageOf(found.oldestAt, asOf) : null;
    const ours = settings.mode === "relay";
    return [
      {
        key: "claims",
        severity: "warn",
        title: "Expired claim",
        subject: found.owners[0] ?? formatPlural(found.claims, "claim"),
        diagnosis: `${formatMessages(found.messages)} ${verb(found.messages, "is", "are")} held by ${formatPlural(found.claims, "claim")} whose owner is gone${age ? `; the oldest was made ${age} ago` : ""}. The messages may or may not have reached the sink.`,
        nextStep: ours
          ? "Nothing to release by hand: the next relay that takes the lease gives them back and publishes them again, which consumers with an inbox absorb. If none takes over, start a worker."
          : "See whether the process that claimed them still runs before you retry them: if it does, they may be published twice.",
        href: ours ? relaysHref(settings.outbox) : messagesHref(settings.outbox, { state: "in_flight" }),
        messages: found.messages,
        aggregates: null,
        since: found.oldestAt,
        evidence: evidenceOf({ Claims: String(found.claims), Owners: found.owners.join(", "), "Oldest claim": age }),
      },
    ];
  },
};
