import { formatDuration, formatPlural } from "#domain/format.ts";

/** Seconds from an instant to the database's clock; never negative. */
export function ageSecondsOf(at: string, asOf: string): number {
  return Math.max(0, (Date.parse(asOf) - Date.parse(at)) / 1000);
}

export function ageOf(at: string, asOf: string): string {
  return formatDuration(ageSecondsOf(at, asOf));
}

/** "4,812 messages", or "at least 10,000 messages" where counting stopped. */
export function formatMessages(count: number, capped = false): string {
  return `${capped ? "at least " : ""}${formatPlural(count, "message")}`;
}

/** The same at the beginning of a sentence. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "are waiting" for many, "is waiting" for one. */
export function verb(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

/** An instant as people read it: "2026-11-21 02:51:07 UTC". */
export function formatInstant(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

export function messagesHref(outbox: string, params: Record<string, string>): string {
  return `/messages?${new URLSearchParams({ outbox, ...params })}`;
}

export function relaysHref(outbox: string): string {
  return `/relays?${new URLSearchParams({ outbox })}`;
}

/** Evidence without the labels that have nothing to say. */
export function evidenceOf(entries: Record<string, string | null | undefined>): { label: string; value: string }[] {
  return Object.entries(entries).flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** A text of others as a sentence of ours: one line, with a full stop. */
export function endSentence(text: string): string {
  const line = (text.split("\n", 1)[0] ?? "").trim();
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
