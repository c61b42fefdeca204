/** A duration in two units for people: "0.4 s", "14 m 08 s", "3 h 05 m", "2 d 4 h". */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  const value = Math.max(0, seconds);
  if (value < 10) return `${value.toFixed(1)} s`;
  if (value < 60) return `${Math.floor(value)} s`;
  const pad = (part: number) => String(Math.floor(part)).padStart(2, "0");
  if (value < 3600) return `${Math.floor(value / 60)} m ${pad(value % 60)} s`;
  if (value < 86_400) return `${Math.floor(value / 3600)} h ${pad((value % 3600) / 60)} m`;
  return `${Math.floor(value / 86_400)} d ${Math.floor((value % 86_400) / 3600)} h`;
}

/** A short duration with as many digits as matter: "0.6 ms", "14 ms", "1.2 s", "5 m 00 s". */
export function formatMs(ms: number): string {
  if (ms >= 1000) return formatDuration(ms / 1000);
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
}

/** A length that someone has set, without its empty second unit: "5 m", not "5 m 00 s". */
export function formatLimit(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return formatDuration(seconds).replace(/ 00? [smh]$/, "");
}

/** 4812 -> "4,812". */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Messages a second with as many digits as matter: 0, 0.4, 5.7, 1,240. */
export function formatRate(value: number): string {
  if (value === 0) return "0";
  return value < 10 ? value.toFixed(1) : formatCount(value);
}

/** "1 message", "4,812 messages". */
export function formatPlural(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** The text with a capital first letter. */
export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/**
 * A clause that begins with one of these words may begin with a capital; one that begins with a name from a row stays
 * as it is.
 */
const FIRST_WORD = /^(?:the|no|a|an|another|nothing|relays|messages) /;

/** A clause that stands by itself, without a full stop: "The sink refused"; "order.paid fails" stays as it is. */
export function atStart(clause: string): string {
  return FIRST_WORD.test(clause) ? capitalize(clause) : clause;
}

/** Makes a sentence of a clause: capital first letter, and a full stop unless it ends with `.`, `!`, `?` or `…`. */
export function sentence(clause: string): string {
  const text = clause.trim();
  if (text === "") return text;
  return `${capitalize(text)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** "at least " where counting stopped at a cap, "about " for an estimate, which is no bound. */
export function boundOf(capped: boolean, estimated: boolean): string {
  if (estimated) return "about ";
  return capped ? "at least " : "";
}

/** "1.4 kB"; bytes as people read them. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${threeDigits(bytes / 1_000)} kB`;
  return bytes < 1_000_000_000 ? `${threeDigits(bytes / 1_000_000)} MB` : `${threeDigits(bytes / 1_000_000_000)} GB`;
}

function threeDigits(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, "");
}
