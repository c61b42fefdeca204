import type { MessageDetail, Why } from "#contracts/message/messages.ts";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import type { Lifecycle, PendingWord } from "#db/stores/port/mapping.ts";
import { STATUS_LISTS } from "#db/stores/port/mapping-fingerprint.ts";
import { formatBytes } from "#domain/format.ts";

type Reason = Why["reasons"][number];

/** Why the state of a message is unknown; null if it is known. */
export function unknownStatus({ message }: MessageDetail, lifecycle: Lifecycle): Reason | null {
  if (message.state !== "unknown") return null;
  if (lifecycle.kind === "untold") return untoldState(lifecycle);
  if (lifecycle.kind === "rules") return strangeToLibrary(lifecycle);
  const marked = doubtedBeside(message.rawStatus, lifecycle) ?? withdrawnBeside(message.rawStatus, lifecycle);
  if (marked) return marked;
  return {
    rule: "unknown_status",
    text:
      message.rawStatus === null
        ? "It has no status, and the mapping does not say that such a row is new."
        : `The mapping does not name its status "${message.rawStatus}".`,
    evidence: "A status that the mapping does not name is never counted as pending.",
    next:
      message.rawStatus === null && lifecycle.kind === "status"
        ? "If a row without a status is new, add NULL to lifecycle.pending in outbox.yaml."
        : "Name it under lifecycle in outbox.yaml.",
  };
}

type Stream = NonNullable<NonNullable<Snapshot["relays"]>["stream"]>;

/** Why the state of a message is not known whose relay marks no row; null if a record says it. */
export function unrecorded({ message }: MessageDetail, lifecycle: Lifecycle, stream: Stream | null): Reason | null {
  if (lifecycle.kind !== "log" || message.state !== "unknown") return null;
  const lag =
    stream?.lagBytes == null
      ? "How much of the log the relay has not confirmed is not known."
      : `The relay has not confirmed ${formatBytes(stream.lagBytes)} of log (${stream.slot}).`;
  return {
    rule: "unknown_status",
    text: "Its row does not say whether it was sent: the relay's position in the log does (cdc.mark: none), and it is not recorded as failed, waiting or dead.",
    evidence: `${lag} What was committed before that position was published or is recorded; a row that is older than the slot was never sent.`,
    next: "Look for its event at a consumer.",
  };
}

/** Published by its status, but another column contradicts that. */
function doubtedBeside(rawStatus: string | null, lifecycle: Lifecycle): Reason | null {
  if (lifecycle.kind !== "status" || rawStatus === null || !lifecycle.published.includes(rawStatus)) return null;
  const marks = (lifecycle.marks ?? []).filter(({ kind }) => kind === "doubted");
  if (marks.length === 0) return null;
  return {
    rule: "unknown_status",
    text: `Its status "${rawStatus}" says published, but another column contradicts it: ${marks.map(({ says }) => says).join(" or ")}.`,
    evidence: "Such a row was not sent, or is to be sent again: which of the two columns is out of date is unknown.",
    next: "Ask the team what the column means. The message is neither counted as published nor as waiting.",
  };
}

/** For a status that the mapping names: a mark in another column makes the state unknown. */
function withdrawnBeside(rawStatus: string | null, lifecycle: Lifecycle): Reason | null {
  if (lifecycle.kind !== "status") return null;
  const marks = (lifecycle.marks ?? []).filter(({ kind }) => kind === "withdrawn");
  const words = STATUS_LISTS.flatMap((list): readonly PendingWord[] => lifecycle[list]);
  if (marks.length === 0 || !words.includes(rawStatus)) return null;
  return {
    rule: "unknown_status",
    text: `Somebody withdrew it: ${marks.map(({ column }) => column.name).join(" or ")} says so, next to the status ${rawStatus === null ? "NULL" : `"${rawStatus}"`}.`,
    evidence: "A row that was withdrawn is never counted as pending.",
    next: "Clear that mark in the table if the message is to be sent.",
  };
}

function untoldState({ owner, where }: Extract<Lifecycle, { kind: "untold" }>): Reason {
  return {
    rule: "unknown_status",
    text: `Its row does not say whether it was sent: ${owner} keeps that in ${where}.`,
    evidence: "No column of this table marks what was published.",
    next: `Compare it with ${where}.`,
  };
}

function strangeToLibrary({ owner, reading }: Extract<Lifecycle, { kind: "rules" }>): Reason {
  if (reading !== undefined)
    return {
      rule: "unknown_status",
      text: "Its row is marked by a column that does not say whether the message will still be sent.",
      evidence: reading,
      next: "Ask the team what the column means. The message is not counted as waiting.",
    };
  return {
    rule: "unknown_status",
    text: `${owner} has no state for a row like this, so it neither sends nor finishes it.`,
    evidence: `Its columns meet none of the conditions by which ${owner} reads its table.`,
    next: "Find out which program wrote the row this way, and correct it with the library's own tools; or dead-letter it.",
  };
}
