import { appendScript } from "./append-script.ts";
import type { CallOutcomes, Place } from "./call-outcomes.ts";
import { CommandWriter } from "./command-writer.ts";
import { groupByLane } from "./group-by-lane.ts";
import type { Batch } from "./redis-link.ts";

export interface Entry extends Place {
  stream: string;
  parts: readonly (string | Buffer)[];
}

export interface Trim {
  maxLength: number | undefined;
  exact: boolean;
}

/**
 * Encodes entries in order as one write. An aggregate's only entry becomes a plain XADD: no later message depends on
 * its outcome. Several entries of an aggregate go through a script, which stops at the first failure and costs Redis
 * more than twice as much.
 */
export function createAppender(trim: Trim): (entries: readonly Entry[], outcomes: CallOutcomes) => Batch {
  const limit = trim.maxLength === undefined ? [] : ["MAXLEN", trim.exact ? "=" : "~", String(trim.maxLength)];
  const script = appendScript(limit);
  const tail = [...limit, "*"];
  return (entries, outcomes) => {
    const writer = new CommandWriter();
    const groups = groupByLane(entries);
    for (const group of groups) {
      const [entry] = group;
      if (entry && group.length === 1) writer.command(["XADD", entry.stream, ...tail, ...entry.parts]);
      else writer.command(["EVAL", script, ...scriptWords(group)]);
    }
    return {
      bytes: writer.bytes(),
      replies: groups.length,
      onReply: (reply, n) => outcomes.answered(groups[n] ?? [], reply),
    };
  };
}

function scriptWords(entries: readonly Entry[]): (string | Buffer)[] {
  const words: (string | Buffer)[] = [String(entries.length)];
  for (const { stream } of entries) words.push(stream);
  for (const { lane, parts } of entries) words.push(lane, String(parts.length), ...parts);
  return words;
}
