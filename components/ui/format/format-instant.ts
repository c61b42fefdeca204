const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY_MS = 86_400_000;

/** "03:05:14" in UTC. */
export function formatUtcTime(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : date.toISOString().slice(11, 19);
}

/** "2026-11-21 03:05:14" in UTC. */
export function formatUtcInFull(at: string | number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString().slice(0, 19).replace("T", " ");
}

/** "04:05" in the browser's zone. */
export function formatLocalTime(at: string): string {
  const date = new Date(at);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** UTC time of day within the last 12 hours, otherwise with its date; with the year if it is another one. */
export function formatInstant(at: string, nowMs: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  if (nowMs > 0 && Math.abs(nowMs - date.getTime()) < DAY_MS / 2) return formatUtcTime(at);
  const day = `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}`;
  const sameYear = new Date(nowMs || date.getTime()).getUTCFullYear() === date.getUTCFullYear();
  return `${sameYear ? day : `${day} ${date.getUTCFullYear()}`}, ${formatUtcTime(at).slice(0, 5)}`;
}

/** Both clocks in full, for tooltips: "2026-11-21 03:05:14.123 UTC · 2026-11-21 04:05:14 local". */
export function formatBothClocks(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const utc = date.toISOString().replace("T", " ").replace("Z", " UTC");
  const localDay = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  const localTime = `${formatLocalTime(at)}:${pad(date.getSeconds())}`;
  return `${utc} · ${localDay} ${localTime} local`;
}

function pad(part: number): string {
  return String(part).padStart(2, "0");
}
