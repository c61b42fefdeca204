import { ACTION_WORDS } from "#components/action/action-words.ts";
import { formatFigure } from "#components/ui/format/format-figure.ts";
import type { Figure } from "#contracts/common.ts";
import type { OperationPreview } from "#contracts/message/operations.ts";
import { formatCount, formatPlural } from "#domain/format.ts";
import { type BulkAction, canFailAgain } from "#domain/message/bulk-operation.ts";

/** A count as a person would say it; "10,000+" when counting stopped there. */
export function formatMatching(figure: Figure): string {
  return figure.precision === "capped" ? `${formatCount(figure.value)}+` : formatFigure(figure);
}

/** "Retry 3,049 messages"; without a number while, or where, it is not known. */
export function previewTitle(action: BulkAction, preview: Pick<OperationPreview, "matching"> | undefined): string {
  const { verb } = ACTION_WORDS[action];
  if (preview === undefined || preview.matching.precision === "unknown") return `${verb} messages`;
  return `${verb} ${formatMatching(preview.matching)} ${preview.matching.value === 1 ? "message" : "messages"}`;
}

type Counted = Pick<OperationPreview, "matching" | "read" | "refused">;

/** How many will be started: those that match without those that will be refused, if all of them were read. */
export function startCount(preview: Counted): Figure {
  const { matching, refused } = preview;
  if (!isWhole(preview)) return matching;
  return { value: Math.max(0, matching.value - sumOf(refused)), precision: "exact" };
}

/** Label of the button that starts. */
export function startLabel(action: BulkAction, preview: Counted | undefined): string {
  const { verb } = ACTION_WORDS[action];
  if (preview === undefined) return verb;
  const count = startCount(preview);
  return count.precision === "unknown" ? `${verb} all that match` : `${verb} ${formatMatching(count)}`;
}

/** What is typed to go on above 1,000 messages: their number, or "all" where it is not known. Null if nothing is. */
export function wordToType({ confirm, matching }: Pick<OperationPreview, "confirm" | "matching">): string | null {
  if (confirm === null) return null;
  return matching.precision === "unknown" ? "all" : formatCount(confirm);
}

/** True for the word as shown, and for the number without its commas. */
export function isTyped(word: string, typed: string): boolean {
  return typed.replaceAll(/[,\s]/g, "").toLowerCase() === word.replaceAll(",", "");
}

export interface PreviewNote {
  kind: "warn" | "refused" | "ok" | "info";
  text: string;
  detail: string | null;
}

/** What to know before the start: what could go wrong first, then what will not be done. */
export function previewNotes(preview: OperationPreview): PreviewNote[] {
  const notes = [
    ...(preview.action === "republish" ? replayNotes(preview) : [...orderNotes(preview), ...processedNotes(preview)]),
    ...scheduledNotes(preview),
    ...refusedNotes(preview),
    ...sentenceNotes(preview),
  ];
  if (notes.length > 0 || preview.read === 0) return notes;
  const all = isWhole(preview) ? "None" : `None of the first ${formatCount(preview.read)}`;
  return [{ kind: "ok", text: `${all} will be refused.`, detail: null }];
}

/** Everything that matches was read. */
function isWhole({ matching, read }: Counted): boolean {
  return matching.precision === "exact" && read >= matching.value;
}

/** A retry makes a message due at once: it does not bring back the time for which the producer scheduled it. */
function scheduledNotes({ action, scheduled }: OperationPreview): PreviewNote[] {
  if (action !== "dead-letter" || scheduled === 0) return [];
  return [
    {
      kind: "warn",
      text: `${formatPlural(scheduled, "message")} ${scheduled === 1 ? "is" : "are"} scheduled for later`,
      detail: "A retry, or Undo, sends a dead message at once and not at its time.",
    },
  ];
}

/** Who has them already stands first: a re-publish is for consumers that have not. */
function replayNotes(preview: OperationPreview): PreviewNote[] {
  if (preview.read === 0) return [];
  const processed = processedNotes(preview);
  const unseen: PreviewNote = {
    kind: "warn",
    text: "No inbox says which of them consumers have processed",
    detail: "A consumer without an inbox processes each of them a second time.",
  };
  const order: PreviewNote = {
    kind: "info",
    text: "Their order relative to new messages is not kept",
    detail:
      "Consumers get an older event after a newer one. Messages of one aggregate keep their order among themselves.",
  };
  return [...(processed.length > 0 ? processed : [unseen]), order];
}

function orderNotes({ action, laterPublished, read }: OperationPreview): PreviewNote[] {
  if (action !== "retry" || read === 0) return [];
  if (laterPublished === null)
    return [{ kind: "info", text: "Whether later messages are already out is not known here.", detail: null }];
  const { messages, checked } = laterPublished;
  if (checked === 0) return [];
  if (messages === 0) {
    const all = checked < read ? `of ${formatCount(checked)} looked at` : "of them";
    return [{ kind: "ok", text: `None ${all} has a later message of its aggregate out already.`, detail: null }];
  }
  const some =
    checked < read
      ? `${formatCount(messages)} of ${formatCount(checked)} looked at`
      : formatPlural(messages, "message");
  return [
    {
      kind: "warn",
      text: `${some} ${messages === 1 ? "has" : "have"} later messages of the aggregate out already`,
      detail: "Consumers get an older event after a newer one.",
    },
  ];
}

function processedNotes({ action, processedBy, read }: OperationPreview): PreviewNote[] {
  const [first] = processedBy;
  if (first === undefined) return [];
  const words = processedBy.map(
    ({ inbox, messages }) => `by ${inbox}: ${messages === 0 ? "none" : formatCount(messages)}`,
  );
  const some = processedBy.some(({ messages }) => messages > 0);
  const looked = first.checked < read ? `, of ${formatCount(first.checked)} looked at` : "";
  return [
    {
      kind: some ? "info" : "ok",
      text: `Already processed ${words.join(", ")}${looked}`,
      detail: some && canFailAgain(action) ? "They are sent again; an inbox skips the ids that it knows." : null,
    },
  ];
}

function refusedNotes(preview: OperationPreview): PreviewNote[] {
  const { refused, read } = preview;
  const total = sumOf(refused);
  if (total === 0) return [];
  const rest = startCount(preview);
  return [
    {
      kind: "refused",
      text: isWhole(preview)
        ? `${formatCount(total)} will be refused, the other ${formatCount(rest.value)} are started`
        : `${formatCount(total)} of the first ${formatCount(read)} will be refused`,
      detail: refused.map(({ reason, messages }) => `${formatCount(messages)}: ${reason}`).join(" "),
    },
  ];
}

function sentenceNotes({ does }: OperationPreview): PreviewNote[] {
  return does === null ? [] : [{ kind: "info", text: does, detail: null }];
}

function sumOf(refused: OperationPreview["refused"]): number {
  return refused.reduce((sum, { messages }) => sum + messages, 0);
}
