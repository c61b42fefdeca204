import { ACTION_WORDS } from "#components/action/action-words.ts";
import type { Bulk, ItemCounts, Operation } from "#contracts/message/operations.ts";
import { formatCount, formatDuration, formatPlural } from "#domain/format.ts";
import { canFailAgain } from "#domain/message/bulk-operation.ts";
import type { OperationAction } from "#domain/message/correction.ts";
import { actedOn, percentOf } from "./bulk-progress.ts";

export interface Headline {
  text: string;
  /** Set where a person has to act. */
  tone?: "bad" | "warn";
  /** What to do, as a sentence. */
  advice?: string;
}

type Described = Pick<Operation, "action"> & {
  bulk: Pick<Bulk, "state" | "counts" | "secondsLeft" | "canary">;
};

/** What goes on, in one line: "Retrying 3,045 messages: 54 % done, about 1 m 10 s left". */
export function describeBulk({ action, bulk }: Described): Headline {
  const { doing, did } = ACTION_WORDS[action];
  const { counts } = bulk;
  const messages = formatPlural(actedOn(counts), "message");
  const share = `${percentOf(bulk)} % done`;
  switch (bulk.state) {
    case "selecting":
      return { text: `Selecting messages to ${verbOf(action)}: ${formatCount(counts.selected)} so far` };
    case "running":
      return { text: `${doing} ${messages}: ${progressWords(bulk)}` };
    case "paused":
      return { text: `Paused: ${doing.toLowerCase()} ${messages}, ${share}`, tone: "warn", advice: PAUSED };
    case "halted":
      return {
        text: `Halted: ${doing.toLowerCase()} ${messages}, ${share}`,
        tone: "bad",
        advice: haltedAdvice(action, counts),
      };
    case "cancelling":
      return { text: `Cancelling: ${waitingWords(counts)}` };
    case "cancelled":
      return { text: `Cancelled: ${outcomeWords(action, counts)}` };
    case "finished":
      if (counts.selected === 0) return { text: `${did} no message: none matched any more` };
      return { text: `${did} ${changedWords(counts)}: ${outcomeWords(action, counts)}` };
  }
}

/** "3,036 of 3,049 messages": those that were skipped or left are not said to be done. */
function changedWords(counts: ItemCounts): string {
  const { published, failed_again, unknown, released, done } = counts;
  const changed = published + failed_again + unknown + released + done;
  if (changed === 0) return "no message";
  const all = formatPlural(actedOn(counts), "message");
  return changed === actedOn(counts) ? all : `${formatCount(changed)} of ${all}`;
}

const PAUSED = "Nothing more is done until someone resumes it.";

/** What a failed message is called: one that is re-published fails for the first time. */
export function failedLabel(action: OperationAction): string {
  return action === "republish" ? "Failed" : "Failed again";
}

function haltedAdvice(action: OperationAction, counts: ItemCounts): string {
  const errors = counts.failed_again > 0 ? `Open “${failedLabel(action)}” for the errors. ` : "";
  return `${errors}Resume once the cause is repaired, or cancel: the remaining messages then stay as they are.`;
}

/** "Retrying 3,045: 54 %": for the line on every page. */
export function shortProgress({ action, bulk }: Described): string {
  const { doing } = ACTION_WORDS[action];
  const count = formatCount(actedOn(bulk.counts));
  if (bulk.state === "selecting") return `${doing}: selecting, ${formatCount(bulk.counts.selected)} so far`;
  const state = SHORT_STATES[bulk.state];
  return `${state === undefined ? doing : `${state}: ${doing.toLowerCase()}`} ${count}: ${percentOf(bulk)} %`;
}

const SHORT_STATES: Partial<Record<Bulk["state"], string>> = {
  paused: "Paused",
  halted: "Halted",
  cancelling: "Cancelling",
};

function progressWords(bulk: Described["bulk"]): string {
  const { counts, canary, secondsLeft } = bulk;
  if (canary !== null && !canary.passed)
    return `${formatCount(canary.size)} first, ${formatCount(canary.published)} published`;
  if (counts.left === 0 && counts.released > 0) return waitingWords(counts);
  const left = secondsLeft === null ? "" : `, about ${formatDuration(secondsLeft)} left`;
  return `${percentOf(bulk)} % done${left}`;
}

function waitingWords({ released }: ItemCounts): string {
  return released === 0 ? "the rest stays as it is" : `waiting for the outcome of ${formatCount(released)}`;
}

/** "3,005 published, 31 failed again, 9 skipped; 4 more refused", or "all published". */
export function outcomeWords(action: OperationAction, counts: ItemCounts): string {
  const good = canFailAgain(action) ? counts.published : counts.done;
  const word = canFailAgain(action) ? "published" : "done";
  const parts = [
    ...(good > 0 ? [`${formatCount(good)} ${word}`] : []),
    ...(counts.failed_again > 0 ? [`${formatCount(counts.failed_again)} ${failedLabel(action).toLowerCase()}`] : []),
    ...(counts.skipped > 0 ? [`${formatCount(counts.skipped)} skipped`] : []),
    ...(counts.cancelled > 0 ? [`${formatCount(counts.cancelled)} left as they were`] : []),
    ...(counts.unknown > 0 ? [`${formatCount(counts.unknown)} in doubt`] : []),
    ...(counts.released > 0 ? [`${formatCount(counts.released)} not known yet`] : []),
  ];
  const refused = formatCount(counts.refused);
  if (parts.length === 0) return counts.refused === 0 ? "none" : `all ${refused} refused`;
  const words = good > 0 && good === actedOn(counts) ? `all ${word}` : parts.join(", ");
  return counts.refused === 0 ? words : `${words}; ${refused} more refused`;
}

function verbOf(action: OperationAction): string {
  return ACTION_WORDS[action].verb.toLowerCase();
}
