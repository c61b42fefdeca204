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
  const overtaken = details.filter((detail) => (detail.laterPublished ?? 0) > 0);
  const later = overtaken.reduce((sum, detail) => sum + (detail.laterPublished ?? 0), 0);
  if (later === 0) return [];
  const verb = later === 1 ? "is" : "are";
  const whose = details.length === 1 ? "the same aggregate" : "the same aggregates";
  return [
    `${formatPlural(later, "later message")} of ${whose} ${verb} already published, so consumers will receive messages out of order.`,
  ];
}

function consumerSentences(details: readonly Known[]): string[] {
  return [...processedBy(details)].map(([consumer, count]) =>
    details.length === 1
      ? `${consumer} has processed it already, so a repeat has no effect there.`
      : `${consumer} has processed ${count} of them already, so a repeat has no effect there.`,
  );
}

function seenSentences(details: readonly Known[]): string[] {
  return [...processedBy(details)].map(([consumer, count]) =>
    details.length === 1
      ? `${consumer} has processed it already.`
      : `${consumer} has processed ${count} of them already.`,
  );
}

function processedBy(details: readonly Known[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const detail of details) {
    for (const sighting of detail.sightings) {
      if (sighting.state !== "processed") continue;
      const name = sighting.consumer ?? sighting.inbox;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}
