import { formatCount, formatDuration, formatPlural } from "../format.ts";
import type { DiagnosisInput } from "./cause.ts";

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

/** "125 wait", "1 waits"; null when nothing waits or it is not known how many. */
export function waits(count: number | null, capped = false): string | null {
  if (count === null || count === 0) return null;
  return `${capped ? "at least " : ""}${formatCount(count)} ${verb(count, "waits", "wait")}`;
}

/** What waits in the whole outbox. */
export function allWaits({ figures }: DiagnosisInput): string | null {
  return figures.waitingKnown ? waits(figures.waiting, figures.waitingCapped) : null;
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "are waiting" for many, "is waiting" for one. */
export function verb(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

/** "2026-11-21 02:51:07 UTC". */
export function formatInstant(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

/** "02:51:07 UTC", with the date where it is not today's. */
export function formatSince(at: string, asOf: string): string {
  return at.slice(0, 10) === asOf.slice(0, 10) ? `${at.slice(11, 19)} UTC` : formatInstant(at);
}

export function before(asOf: string, seconds: number): string {
  return new Date(Date.parse(asOf) - seconds * 1000).toISOString();
}

export function messagesPath(outbox: string, params: Record<string, string>): string {
  return `/messages?${new URLSearchParams({ outbox, ...params })}`;
}

export function pagePath(page: "relays" | "settings" | "stuck" | "failures", outbox: string): string {
  return `/${page}?${new URLSearchParams({ outbox })}`;
}

/** Evidence without the labels that have nothing to say. */
export function evidenceOf(entries: Record<string, string | null | undefined>): { label: string; value: string }[] {
  return Object.entries(entries).flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

const LONGEST_ERROR = 140;

/** An error of others inside a sentence of ours: its first line without the full stop, cut between words. */
export function shortError(text: string): string {
  const line = (text.split("\n", 1)[0] ?? "").trim().replace(/[.;:,\s]+$/, "");
  if (line.length <= LONGEST_ERROR) return line;
  const cut = line.slice(0, LONGEST_ERROR);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), LONGEST_ERROR - 40)).trimEnd()} …`;
}

/** A text of others as a sentence of ours: one line, with a full stop. */
export function endSentence(text: string): string {
  const line = (text.split("\n", 1)[0] ?? "").trim();
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** "invoice.rendered", or "messages without a type". */
export function typeName(eventType: string | null): string {
  return eventType ?? "messages without a type";
}

/** Partial troubles are warnings until messages are older than the outbox's limit, and while it is paused on purpose. */
export function byAge({ figures, facts }: DiagnosisInput): "warn" | "fail" {
  if (facts.relays?.pause) return "warn";
  return figures.judged.oldestPending === "fail" ? "fail" : "warn";
}

/** Nothing goes out, as far as the rates tell; false where they are not known. */
export function nothingGoesOut({ figures }: DiagnosisInput): boolean {
  return figures.outPerSecond !== null && figures.outPerSecond === 0;
}

/** The name of a foreign session: "billing-report (pid 77)". */
export function sessionName(holder: {
  pid: number | null;
  applicationName: string | null;
  user: string | null;
}): string {
  const who = holder.applicationName ?? holder.user ?? "unnamed session";
  return holder.pid === null ? who : `${who} (pid ${holder.pid})`;
}
