import type { MessageDetail } from "#contracts/message/messages.ts";
import { formatCount, formatPlural } from "#domain/format.ts";
import type { MessageAction } from "#domain/message/message-state.ts";

type Known = Pick<MessageDetail, "laterPublished" | "sightings" | "message">;

/** What repeating or giving up these messages means for their order and their consumers, as sentences. */
export function describeConsequences(
  action: MessageAction,
  details: readonly Known[],
  nowMs: number = Date.now(),
): string[] {
  if (action === "retry") return [...orderSentences(details), ...consumerSentences(details)];
  return action === "dead-letter" ? [...scheduledSentences(details, nowMs), ...seenSentences(details)] : [];
}

/** A retry makes a message due at once: it does not bring back the time for which the producer scheduled it. */
function scheduledSentences(details: readonly Known[], nowMs: number): string[] {
  const later = details.filter(
    ({ message: { availableAt, attempts } }) => availableAt !== null && !attempts && Date.parse(availableAt) > nowMs,
  );
  if (later.length === 0) return [];
  const those =
    details.length === 1 ? "It is" : later.length === 1 ? "1 of them is" : `${formatCount(later.length)} of them are`;
  return [`${those} scheduled for later; a retry sends a dead message at once and not at its time.`];
}

function orderSentences(details: readonly Known[]): string[] {
  const byAggregate = new Map<string, number>();
  for (const { message, laterPublished } of details) {
    const aggregate = JSON.stringify([message.aggregateType, message.aggregateId]);
    // Each of its messages counts those that are later than itself.
    byAggregate.set(aggregate, Math.max(byAggregate.get(aggregate) ?? 0, laterPublished ?? 0));
  }
  const counts = [...byAggregate.values()].filter((count) => count > 0);
  const later = counts.reduce((sum, count) => sum + count, 0);
  if (later === 0) return [];
  const verb = later === 1 ? "is" : "are";
  const whose = counts.length === 1 ? "the same aggregate" : "the same aggregates";
  return [
    `${formatPlural(later, "later message")} of ${whose} ${verb} already published, so consumers will receive messages out of order.`,
  ];
}

function consumerSentences(details: readonly Known[]): string[] {
  return seenSentences(details, ", so a repeat has no effect there");
}

/** Which consumers have processed the messages, and of which that is not known. */
function seenSentences(details: readonly Known[], so = ""): string[] {
  const one = details.length === 1;
  const processed = [...countBy(details, ["processed"])].map(
    ([consumer, count]) => `${consumer} has processed ${one ? "it" : `${formatCount(count)} of them`} already${so}.`,
  );
  const unknown = [...countBy(details, ["unknown", "untracked"])].map(
    ([consumer, count]) =>
      `Whether ${consumer} has processed ${one ? "it" : `${formatCount(count)} of them`} is not known.`,
  );
  return [...processed, ...unknown];
}

type Seen = Known["sightings"][number]["state"];

function countBy(details: readonly Known[], states: readonly Seen[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const detail of details) {
    for (const sighting of detail.sightings) {
      if (!states.includes(sighting.state)) continue;
      const name = sighting.consumer ?? sighting.inbox;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}
