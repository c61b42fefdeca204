/** Words that a column may have; of a domain's check the column is called VALUE. */
export interface CheckWords {
  column: string;
  words: string[];
}

const COLUMN = /\(*("(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)\)*/i.source;
const CAST = /(?:::"?[a-z][a-z0-9_ ."]*(?:\(\d+\))?(?:\[\])?)?/i.source;
const LITERAL = /(?:'(?:[^']|'')*'|\(?-?\d+\)?)/.source;
const ONE = new RegExp(`^${COLUMN}${CAST} = (${LITERAL})${CAST}$`, "i");
const ANY = new RegExp(
  `^${COLUMN}${CAST} = ANY \\(\\(?ARRAY\\[(\\(?${LITERAL}${CAST}\\)?${CAST}(?:, \\(?${LITERAL}${CAST}\\)?${CAST})*)\\]\\)?${CAST}\\)$`,
  "i",
);
const IS_NULL = /^\(*(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)\)* IS NULL$/i;

/**
 * Lists of words in a check as Postgres prints it, such as `CHECK ((status = ANY (ARRAY['A'::text, 'B'::text])))`. A
 * check of another form, with a function, a negation or a condition, does not list the values of a single column.
 */
export function wordsOfCheck(check: string): CheckWords[] {
  const body = /^CHECK \((.*)\)(?: NO INHERIT)?(?: NOT VALID)?$/s.exec(check)?.[1];
  return body === undefined ? [] : wordsIn(body);
}

function wordsIn(sql: string): CheckWords[] {
  const plain = withoutParentheses(sql);
  const both = splitAt(plain, " AND ");
  if (both.length > 1) return both.flatMap(wordsIn);
  const parts = splitAt(plain, " OR ").map(withoutParentheses);
  const lists = parts.filter((part) => !IS_NULL.test(part)).map(listIn);
  const [first] = lists;
  const isOfOne = first && lists.every((list) => list?.column === first.column);
  return isOfOne ? [{ column: first.column, words: lists.flatMap((list) => list?.words ?? []) }] : [];
}

function listIn(sql: string): CheckWords | null {
  const found = ONE.exec(sql) ?? ANY.exec(sql);
  if (!found) return null;
  const [, column = "", list = ""] = found;
  const words = [...list.matchAll(/'((?:[^']|'')*)'|(-?\d+)/g)].map(([, text, number]) =>
    text === undefined ? (number ?? "") : text.replaceAll("''", "'"),
  );
  return { column: column.startsWith('"') ? column.slice(1, -1).replaceAll('""', '"') : column, words };
}

/** Without the pairs that enclose all of it. */
function withoutParentheses(sql: string): string {
  const text = sql.trim();
  const isEnclosed = text.startsWith("(") && depths(text).indexOf(0) === text.length - 1;
  return isEnclosed ? withoutParentheses(text.slice(1, -1)) : text;
}

/** Parts between the word where it stands in no parentheses and in no text. */
function splitAt(sql: string, word: string): string[] {
  const open = depths(sql);
  const parts: string[] = [];
  let from = 0;
  for (let at = sql.indexOf(word); at !== -1; at = sql.indexOf(word, at + 1)) {
    if (open[at] !== 0) continue;
    parts.push(sql.slice(from, at));
    from = at + word.length;
  }
  return [...parts, sql.slice(from)];
}

/** How many parentheses are open after each character; inside a text or a quoted name one more. */
function depths(sql: string): number[] {
  let open = 0;
  let quote = "";
  return sql.split("").map((letter) => {
    if (quote === "" && (letter === "'" || letter === '"')) quote = letter;
    else if (letter === quote) quote = "";
    else if (quote === "" && letter === "(") open += 1;
    else if (quote === "" && letter === ")") open -= 1;
    return quote === "" ? open : open + 1;
  });
}
