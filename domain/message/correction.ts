import { BULK_ACTIONS } from "./bulk-operation.ts";
import type { MessageState } from "./message-state.ts";

/** What an operation may be: a bulk action, or a corrected copy of one message. */
export const OPERATION_ACTIONS = [...BULK_ACTIONS, "correct"] as const;
export type OperationAction = (typeof OPERATION_ACTIONS)[number];

/** States of a message of which a corrected copy can be sent. */
export const CORRECTABLE_STATES = ["failed", "dead"] as const satisfies readonly MessageState[];

/** Longest payload or headers that can be edited, before and after, in bytes of UTF-8. */
export const MOST_EDITED_BYTES = 256 * 1024;

/** Actions in the audit: of the original and of its copy. */
export const CORRECT = "message.correct";
export const CORRECTED_COPY = "message.copy";

/** Why a message of which a corrected copy was sent is not retried, as a sentence. */
export function noRetryOf(copyId: string): string {
  return `A corrected copy of it was sent, ${copyId}: a retry would send it a second time. Archive it.`;
}

interface Corrected {
  originalId: string;
  copyId: string;
  /** SHA-256 of the payloads as stored, in hex. */
  originalHash: string;
  copyHash: string;
  headersChanged: boolean;
}

function hashes({ originalHash, copyHash, headersChanged }: Corrected): string {
  const headers = headersChanged ? " The headers were changed too." : "";
  return `Payload sha256 ${originalHash}; of the copy ${copyHash}.${headers}`;
}

/** The audit's detail of the original, and of the copy. `copyIdOf` and `originalIdOf` read them. */
export function detailOfOriginal(corrected: Corrected, told: string): string {
  return `Corrected copy ${corrected.copyId} was sent. ${told} ${hashes(corrected)}`;
}

export function detailOfCopy(corrected: Corrected): string {
  return `Is a corrected copy of ${corrected.originalId}. ${hashes(corrected)}`;
}

type Entry = { action: string; detail: string | null };

/** Id of the corrected copy, from the audit of the original; null without one. */
export function copyIdOf(audit: readonly Entry[]): string | null {
  const entry = audit.find(({ action }) => action === CORRECT);
  return /^Corrected copy (\S+) was sent\./.exec(entry?.detail ?? "")?.[1] ?? null;
}

/** Id of the original, from the audit of its corrected copy; null for a message that is none. */
export function originalIdOf(audit: readonly Entry[]): string | null {
  const entry = audit.find(({ action }) => action === CORRECTED_COPY);
  return /^Is a corrected copy of (\S+)\. /.exec(entry?.detail ?? "")?.[1] ?? null;
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The numbers of a JSON text as they are written, sorted. */
function numbersOf(json: string): string[] {
  return [...json.matchAll(STRING_OR_NUMBER)]
    .map(([token]) => token)
    .filter((token) => !token.startsWith('"'))
    .sort();
}

/** A number of JSON text that another spelling of the text does not have as it is written; null if it has them all. */
export function changedNumber(typed: string, stored: string): string | null {
  const kept = numbersOf(stored);
  return numbersOf(typed).find((number, place) => kept[place] !== number) ?? null;
}

/** True for text that is JSON. Nothing of its value is used: numbers would lose digits. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
