import type { RelayReading } from "#db/watchdog/facts.ts";
import { formatDuration, formatPlural } from "#domain/format.ts";
import type { Rule, RuleSettings } from "../rule.ts";
import {
  ageOf,
  ageSecondsOf,
  capitalise,
  evidenceOf,
  formatInstant,
  formatMessages,
  relaysHref,
  verb,
} from "../rule-words.ts";

/** A relay that has said something lately and has not said goodbye. */
export function isAlive(relay: RelayReading, settings: RuleSettings, asOf: string): boolean {
  return relay.state !== "stopped" && ageSecondsOf(relay.heartbeatAt, asOf) <= settings.relaySilentSeconds;
}

export const noRelayAlive: Rule = {
  rule: "no_relay_alive",
  title: "No relay alive",
  definition: "The outbox is to be relayed by this program and no relay instance has sent a heartbeat.",
  threshold: (settings) => `no heartbeat for ${formatDuration(settings.relaySilentSeconds)}`,
  needs: ["relays", "waiting"],
  evaluate: ({ settings, facts, asOf }) => {
    if (settings.mode !== "relay") return [];
    const instances = facts.relays?.instances ?? [];
    if (instances.some((one) => isAlive(one, settings, asOf))) return [];
    const last = instances[0];
    const due = facts.waiting?.due ?? 0;
    const waits = formatMessages(due, facts.waiting?.capped);
    const heard = last
      ? `The last one, process ${last.pid} on ${last.host}, was heard ${ageOf(last.heartbeatAt, asOf)} ago${last.state === "stopped" ? " and had been stopped" : " and said no goodbye"}.`
      : "None has ever been heard of here.";
    return [
      {
        key: "relay",
        severity: facts.relays?.pause ? "warn" : "fail",
        title: "No relay alive",
        subject: last ? `last heard ${ageOf(last.heartbeatAt, asOf)} ago` : "never heard of",
        diagnosis: `Nothing publishes this outbox. ${heard} ${capitalise(waits)} ${verb(due, "waits", "wait")}.`,
        nextStep:
          facts.relays === null
            ? "Create the store side first (`npm run migrate`), then start a worker with `npm run worker`."
            : "Start a worker (`npm run worker`), or find out why it ended in its log. Starting one is safe: it takes over within seconds and repeats at most what was in flight.",
        href: relaysHref(settings.outbox),
        messages: due,
        aggregates: null,
        since: last?.heartbeatAt ?? null,
        evidence: evidenceOf({
          "Known instances": instances.length > 0 ? formatPlural(instances.length, "instance") : "none",
          "Last heartbeat": last ? formatInstant(last.heartbeatAt) : null,
          "Last published": last?.lastPublishedAt ? formatInstant(last.lastPublishedAt) : null,
          "Last error": last?.lastError,
          Paused: facts.relays?.pause ? `by ${facts.relays.pause.by}: ${facts.relays.pause.reason}` : null,
          Waiting: waits,
        }),
      },
    ];
  },
};
