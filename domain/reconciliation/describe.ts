import { formatPlural } from "../format.ts";

/** What one check looked at. `from` and `to`: creation of the oldest and the newest, null where no column says it. */
export interface Looked {
  checked: number;
  from: string | null;
  to: string | null;
  /** There are no others. */
  whole: boolean;
}

/** "12,400 messages created between 13:02:10 and 13:58:41 UTC were looked up; older ones were not." */
export function describeMessages({ checked, from, to, whole }: Looked): string {
  if (checked === 0) return whole ? "No message is published." : "No message was looked up.";
  const range = from === null || to === null ? "" : ` created between ${between(from, to)}`;
  const looked = `${formatPlural(checked, "message")}${range} ${checked === 1 ? "was" : "were"} looked up`;
  return whole
    ? `${looked}: all that are published.`
    : `${looked}; ${range === "" ? "others" : "older ones"} were not.`;
}

/** The same of the rows of an inbox. `inTime`: they are its newest. */
export function describeRows({ checked, from, to, whole, inTime }: Looked & { inTime: boolean }): string {
  if (checked === 0) return "The inbox is empty.";
  const range = from === null || to === null ? "" : ` between ${between(from, to)}`;
  const looked = `${formatPlural(checked, "row")}${range} ${checked === 1 ? "was" : "were"} looked for`;
  return whole ? `${looked}: all of the inbox.` : `${looked}; ${inTime ? "older ones" : "others"} were not.`;
}

/** "13:02:10 and 13:58:41 UTC", with dates unless both are on one day. */
function between(from: string, to: string): string {
  const day = from.slice(0, 10);
  const time = (at: string) => at.slice(11, 19);
  if (to.slice(0, 10) === day) return `${day} ${time(from)} and ${time(to)} UTC`;
  return `${day} ${time(from)} and ${to.slice(0, 10)} ${time(to)} UTC`;
}
