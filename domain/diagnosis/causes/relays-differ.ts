import type { DiagnosisInput, Rule } from "../cause.ts";
import type { RelayReading } from "../facts.ts";
import { ageSecondsOf, evidenceOf, formatInstant, pagePath } from "../phrases.ts";
import { aliveRelays } from "./no-relay-alive.ts";

/** A deploy replaces one process after the other: only those that stay together are configured differently for good. */
const TOGETHER_SECONDS = 15;

export const relaysDiffer: Rule = {
  rule: "relays_differ",
  title: "Relays publish to different addresses",
  definition:
    "Live relays of the outbox publish to different addresses. Each sends its share of the aggregates to its own.",
  threshold: () => `live relays with different addresses of their sinks, the youngest for ${TOGETHER_SECONDS} s`,
  needs: ["relays"],
  evaluate: (input) => {
    const [one, other] = different(input);
    if (!one || !other) return [];
    const { settings } = input;
    return [
      {
        key: "sinks",
        word: "at_risk",
        severity: "warn",
        title: "Relays publish to different addresses",
        subject: `${nameOf(one)}, ${nameOf(other)}`,
        what: `relays of this outbox publish to different addresses: ${nameOf(one)} to ${sinkOf(one)}, ${nameOf(other)} to ${sinkOf(other)}`,
        clauses: ["unless both lead to the same receiver, each gets a part of the messages"],
        diagnosis: `The relay of ${nameOf(one)} publishes to ${sinkOf(one)}, that of ${nameOf(other)} to ${sinkOf(other)}. Aggregates are shared out between them, so unless both addresses lead to the same receiver, each receiver gets only a part.`,
        nextStep:
          "Compare outbox.yaml and the environment of both workers, correct one and restart it. What went to the wrong receiver can be published again: select it by time on Messages.",
        next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
        messages: null,
        aggregates: null,
        since: [one.startedAt, other.startedAt].sort().at(-1) ?? null,
        evidence: evidenceOf({
          [nameOf(one)]: `${sinkOf(one)}, started at ${formatInstant(one.startedAt)}`,
          [nameOf(other)]: `${sinkOf(other)}, started at ${formatInstant(other.startedAt)}`,
        }),
      },
    ];
  },
};

/** The oldest relay, and the oldest of those with another sink. */
function different(input: DiagnosisInput): RelayReading[] {
  if (input.settings.mode !== "relay") return [];
  const settled = aliveRelays(input)
    .filter(({ startedAt }) => ageSecondsOf(startedAt, input.asOf) >= TOGETHER_SECONDS)
    .toSorted((one, other) => one.startedAt.localeCompare(other.startedAt));
  const [first] = settled;
  const second = first && settled.find((one) => !sameSink(first, one));
  return first && second ? [first, second] : [];
}

/** Two lists of a cluster's servers that share one mean the same cluster. */
function sameSink(one: RelayReading, other: RelayReading): boolean {
  const servers = other.sinkAddress.split(SEPARATOR);
  return one.sinkAddress.split(SEPARATOR).some((server) => servers.includes(server));
}

const SEPARATOR = /[,\s]+/;

function sinkOf({ sinkName, sinkAddress }: RelayReading): string {
  return `${sinkName} (${sinkAddress})`;
}

function nameOf({ pid, host }: RelayReading): string {
  return `process ${pid} on ${host}`;
}
