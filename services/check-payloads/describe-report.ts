import type { PayloadReport, TypeReport, Unreadable } from "./check-payloads.ts";

/** Reasons of one type that are shown; a schema may give each message its own. */
const MOST_REASONS = 10;

/** Lines for a terminal. */
export function describeReport({ outbox, checked, cut, types, missed }: PayloadReport): string[] {
  const head = `${outbox}: ${counted(checked)} checked${cut ? ", and there are more: a higher --limit checks them too" : ""}`;
  return [head, ...types.flatMap(describeType), ...missed.map((one) => `  CHECK ${one}`)];
}

/** False if a message cannot be read, or was not looked at. */
export function isReadable({ cut, types, missed }: PayloadReport): boolean {
  return !cut && missed.length === 0 && types.every(({ unreadable }) => unreadable.length === 0);
}

function describeType({ eventType, fit, unreadable }: TypeReport): string[] {
  const name = eventType ?? "(no type)";
  const shown = unreadable.toSorted((one, other) => other.count - one.count).slice(0, MOST_REASONS);
  const left = unreadable.length - shown.length;
  return [
    ...(fit > 0 ? [`  ok    ${name}: ${counted(fit)}`] : []),
    ...shown.map((one) => describeUnreadable(name, one)),
    ...(left > 0 ? [`  CHECK ${name}: ${left} further reasons`] : []),
  ];
}

function describeUnreadable(name: string, { reason, count, examples }: Unreadable): string {
  return `  CHECK ${name}: ${counted(count)}: ${reason}\n        for example ${examples.join(", ")}`;
}

const counted = (count: number) => `${count.toLocaleString("en-GB")} ${count === 1 ? "message" : "messages"}`;
