import { ORDER_DIFFERS } from "../../relay/order-differs.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import { type RelayReading, SILENT_SOON_SECONDS } from "../facts/relays.ts";
import { ageSecondsOf, allWaits, evidenceOf, formatInstant, heldUp, pagePath } from "../phrases.ts";
import { aliveRelays } from "./no-relay-alive.ts";

/** A deploy replaces one process after the other: only those that stay together are configured differently for good. */
const TOGETHER_SECONDS = 15;
/** A difference in order does harm from the first second on. */
const TOGETHER_IN_DISORDER_SECONDS = 5;

export const relaysDiffer: Rule = {
  rule: "relays_differ",
  title: "Relays differ",
  definition:
    "Live relays of the outbox publish to different addresses, or do not all keep order: they would then divide the messages by different rules, so the later one waits.",
  threshold: () => `live relays that differ, the youngest for ${TOGETHER_SECONDS} s`,
  needs: ["relays"],
  evaluate: (input) => [...differentSinks(input), ...differentOrder(input)],
};

function differentSinks(input: DiagnosisInput): CauseDraft[] {
  const [one, other] = different(input, TOGETHER_SECONDS, (first, second) => !sameSink(first, second));
  if (!one || !other) return [];
  const idle = [one, other].find(isStandby);
  return [
    {
      key: "sinks",
      word: "at_risk",
      severity: "warn",
      title: "Relays publish to different addresses",
      subject: `${nameOf(one)}, ${nameOf(other)}`,
      what: `relays of this outbox publish to different addresses: ${nameOf(one)} to ${sinkOf(one)}, ${nameOf(other)} to ${sinkOf(other)}`,
      ...(idle ? takenOver(idle, idle === one ? other : one) : divided()),
      nextStep:
        "Compare outbox.yaml and the environment of both workers, correct one and restart it. What went to the wrong receiver can be published again: select it by time on Messages.",
      ...common(input, one, other),
      evidence: evidenceOf({
        [nameOf(one)]: `${sinkOf(one)}, started at ${formatInstant(one.startedAt)}`,
        [nameOf(other)]: `${sinkOf(other)}, started at ${formatInstant(other.startedAt)}`,
      }),
    },
  ];
}

function divided() {
  return {
    clauses: ["unless both lead to the same receiver, each gets a part of the messages"],
    diagnosis: `Aggregates are divided between them, so unless both addresses lead to the same receiver, each receiver gets only a part.`,
  };
}

function takenOver(idle: RelayReading, owner: RelayReading) {
  return {
    clauses: [`${nameOf(idle)} publishes nothing before ${nameOf(owner)} has stopped`],
    diagnosis:
      "One of them publishes and the other is standby. Unless both addresses lead to the same receiver, another receiver gets the messages after a takeover.",
  };
}

function differentOrder(input: DiagnosisInput): CauseDraft[] {
  const [one, other] = different(
    input,
    TOGETHER_IN_DISORDER_SECONDS,
    (first, second) => orders(first) !== null && orders(second) === !orders(first),
  );
  if (!one || !other) return [];
  const waiting = [one, other].find(waitsForOrder);
  if (waiting) return [draftOfWaiting(input, waiting, waiting === one ? other : one)];
  const [strict, loose] = orders(one) ? [one, other] : [other, one];
  const what = `relays of this outbox differ in relay.ordering: ${nameOf(strict)} keeps order, ${nameOf(loose)} does not`;
  return [
    {
      key: "ordering",
      word: "in_part",
      severity: "fail",
      title: "Relays differ in their order",
      subject: `${nameOf(one)}, ${nameOf(other)}`,
      what,
      clauses: ["some messages are published by both and some by neither", allWaits(input)],
      diagnosis:
        "One divides messages by aggregate, the other message by message. Nothing is lost: what waits goes out once they agree.",
      nextStep: "Set the same relay.ordering for all workers of this outbox and restart those that had another.",
      ...common(input, one, other),
      ...heldUp(input),
      evidence: evidenceOf({ [nameOf(one)]: one.ordering, [nameOf(other)]: other.ordering }),
    },
  ];
}

/**
 * It publishes nothing before the other has stopped, so nothing is published by a rule that the other does not know.
 */
function draftOfWaiting(input: DiagnosisInput, waiting: RelayReading, owner: RelayReading): CauseDraft {
  return {
    key: "ordering",
    word: "at_risk",
    severity: "warn",
    title: "One relay waits: its ordering differs",
    subject: nameOf(waiting),
    what: `relays of this outbox differ in relay.ordering, and ${nameOf(waiting)} waits until ${nameOf(owner)} has stopped`,
    clauses: [],
    diagnosis: `${orders(owner) ? "The one that publishes keeps order, the other does not." : "The one that publishes keeps no order, the other does."} Together they would divide the messages by two rules, so the later one waits. Nothing is held up; the waiting relay publishes nothing.`,
    nextStep:
      "In a deploy, this ends when the earlier worker stops. Otherwise set the same relay.ordering for all workers of this outbox and restart those that had another.",
    ...common(input, waiting, owner),
    evidence: evidenceOf({ [nameOf(owner)]: owner.ordering, [nameOf(waiting)]: waiting.ordering }),
  };
}

/** With `source: cdc` one relay publishes and the others are standby, whatever their order is. */
function waitsForOrder(relay: RelayReading): boolean {
  return isStandby(relay) || (relay.state === "holding" && relay.lastError?.startsWith(ORDER_DIFFERS) === true);
}

function isStandby({ state }: RelayReading): boolean {
  return state === "standby";
}

function common({ settings }: DiagnosisInput, one: RelayReading, other: RelayReading) {
  return {
    next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
    // Nothing is held up by addresses that differ.
    messages: null,
    aggregates: null,
    since: [one.startedAt, other.startedAt].sort().at(-1) ?? null,
  };
}

/** Whether it keeps order per aggregate; null if it did not say. */
function orders({ ordering }: RelayReading): boolean | null {
  return ordering === null ? null : ordering !== "none";
}

/**
 * The oldest relay that is heard, and the oldest of those that differ from it. One that has just fallen silent may be
 * dead, and another may have taken over what it owned.
 */
function different(
  input: DiagnosisInput,
  seconds: number,
  differ: (one: RelayReading, other: RelayReading) => boolean,
): RelayReading[] {
  if (input.settings.mode !== "relay") return [];
  const settled = aliveRelays(input)
    .filter(({ startedAt }) => ageSecondsOf(startedAt, input.asOf) >= seconds)
    .filter(({ heartbeatAt }) => ageSecondsOf(heartbeatAt, input.asOf) < SILENT_SOON_SECONDS)
    .toSorted((one, other) => one.startedAt.localeCompare(other.startedAt));
  const [first] = settled;
  const second = first && settled.find((one) => differ(first, one));
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
