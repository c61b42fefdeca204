import { isJson } from "#domain/message/correction.ts";

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;
const INDENT = "  ";

/** JSON with a line for each member; every string, number and word keeps its characters. Other text stays as it is. */
export function layOutJson(text: string): string {
  if (!isJson(text)) return text;
  const tokens = text.match(TOKEN) ?? [];
  let depth = 0;
  let out = "";
  for (const [place, token] of tokens.entries()) {
    const [last = "", next = ""] = [tokens[place - 1], tokens[place + 1]];
    if (CLOSING.has(token)) depth -= 1;
    if (CLOSING.has(token) && !OPENING.has(last)) out += lineAt(depth);
    if (OPENING.has(token)) depth += 1;
    out += token;
    if (token === ":") out += " ";
    if (token === "," || (OPENING.has(token) && !CLOSING.has(next))) out += lineAt(depth);
  }
  return out;
}

const OPENING = new Set(["{", "["]);
const CLOSING = new Set(["}", "]"]);

function lineAt(depth: number): string {
  return `\n${INDENT.repeat(depth)}`;
}
