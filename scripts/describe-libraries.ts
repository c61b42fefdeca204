import type { InboxOfLibrary, LibraryTable, OutboxOfLibrary } from "../db/shapes/libraries/library-table-type.ts";
import { LIBRARY_TABLES } from "../db/shapes/libraries/library-tables.ts";
import type { Condition, StateRules, VerbRule } from "../db/stores/port/table-rules.ts";

/** docs/libraries.md: for every known table, the meaning of each state and the writes of retry and dead-letter. */
export function describeLibraries(): string {
  const libraries = Map.groupBy(
    LIBRARY_TABLES.filter(({ kind }) => kind.role !== "helper"),
    ({ library }) => library,
  );
  const sections = [...libraries]
    .toSorted(([one], [other]) => one.localeCompare(other, "en"))
    .map(([library, tables]) => `## ${library}\n\n${tables.map(describeTable).join("\n\n")}`);
  return `${HEAD}\n\n${sections.join("\n\n")}\n`;
}

const HEAD = `# Libraries whose tables are known

\`npm run shapes\` prints this page, from \`db/shapes/libraries/\`. The states of a row are those that the library itself gives it.
Retry writes what makes the library's own query take the row again; dead-letter writes what makes it leave the row. Both are
tested with that query over each table, not with the library running. States are tried in the order dead, published, expired, in
flight, failed, pending; a row that none describes is unknown. Our relay does not publish these tables, because the library
does. Helper tables (locks, offsets, partitions) are left alone.`;

function describeTable({ slug, name, source, kind }: LibraryTable): string {
  const heading = `\`${slug}\`: table \`${plainName(name)}\` (${source})`;
  if (kind.role === "inbox") return `${heading}\n\n${describeInbox(kind)}`;
  return kind.role === "helper" ? heading : `${heading}\n\n${describeOutbox(kind)}`;
}

function plainName(name: RegExp): string {
  return name.source.replace(/[\\^$]/g, "");
}

function describeOutbox({ role, lifecycle, traps = [] }: OutboxOfLibrary): string {
  const notes = traps.map((trap) => `- ${trap}`);
  if (lifecycle.kind === "untold")
    return [`Every row is unknown: the library keeps what was sent in ${lifecycle.where}.`, ...notes].join("\n");
  const { retry, "dead-letter": deadLetter } = lifecycle.verbs;
  const lines = [
    ...(role === "dead letters" ? ["The library moves here what it has given up.", ""] : []),
    ...describeStates(lifecycle.states),
    `- retry: ${describeVerb(retry)}`,
    `- dead-letter: ${describeVerb(deadLetter)}`,
    ...notes,
  ];
  return lines.join("\n");
}

function describeStates({ dead, published, expired, claim, failed, waiting }: StateRules<string>): string[] {
  const parts: [string, Condition<string> | undefined][] = [
    ["dead", dead],
    ["published", published],
    ["expired", expired],
    ["in flight", claim?.marked],
    ["failed", failed],
    ["waiting", waiting],
  ];
  const lines = parts.flatMap(([state, condition]) => (condition ? [`- ${state}: ${inWords(condition)}`] : []));
  const ends = claim?.ends;

  return ends
    ? [...lines, `- a claim ends ${ends.plusSeconds ? `${ends.plusSeconds} s after` : "at"} \`${ends.column}\``]
    : lines;
}

function describeVerb(verb: VerbRule<string, string>): string {
  if ("refuse" in verb) return `refused. ${verb.refuse}`;
  if (!("set" in verb)) return verb.does;
  const set = verb.set.map(({ column, to }) => `\`${column}\` = ${inValue(to)}`);
  return `${verb.does} Writes ${set.join(", ")}.`;
}

function inValue(to: Extract<VerbRule<string, string>, { set: unknown }>["set"][number]["to"]): string {
  if (typeof to === "string") return to === "increment" ? "one more" : to;
  if ("word" in to) return `\`${to.word}\``;
  return "number" in to ? String(to.number) : `now and ${to.secondsFromNow} s`;
}

function inWords(condition: Condition<string>): string {
  if ("always" in condition) return "every row";
  if ("all" in condition) return condition.all.map(inBrackets).join(" and ");
  if ("any" in condition) return condition.any.map(inBrackets).join(" or ");
  if ("not" in condition) return `not (${inWords(condition.not)})`;
  const column = `\`${condition.column}\``;
  if ("in" in condition) return `${column} is ${condition.in.map((one) => `\`${one}\``).join(" or ")}`;
  if ("atLeast" in condition) return `${column} is at least ${condition.atLeast}`;
  if ("atLimit" in condition) return `${column} has reached \`${condition.atLimit}\``;
  if ("isAfter" in condition) return `${column} is after \`${condition.isAfter}\``;
  return `${column} is ${condition.is === "past" || condition.is === "future" ? `in the ${condition.is}` : condition.is}`;
}

function inBrackets(condition: Condition<string>): string {
  return "any" in condition || "all" in condition ? `(${inWords(condition)})` : inWords(condition);
}

function describeInbox({ processed, failed, traps = [] }: InboxOfLibrary): string {
  const lines = [
    processed === null ? "- an inbox that only says what was received" : `- an inbox; processed: ${inWords(processed)}`,
    ...(failed ? [`- failed: ${inWords(failed)}`] : []),
    ...traps.map((trap) => `- ${trap}`),
  ];
  return lines.join("\n");
}
