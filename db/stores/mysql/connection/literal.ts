/** Characters that a text cannot hold as they are, and those that would end or garble a line of a log. */
const ESCAPED: Record<string, string> = {
  "\0": "\\0",
  "\n": "\\n",
  "\r": "\\r",
  "\u001a": "\\Z",
  "'": "''",
  "\\": "\\\\",
};

/** A text as a literal, in a session without NO_BACKSLASH_ESCAPES. */
export function quoteText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
  return `'${text.replace(/[\0\n\r\u001a'\\]/g, (character) => ESCAPED[character] ?? character)}'`;
}

/** A name of a database, table or column as it stands in a statement. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

/** A value as a literal. Bytes become a binary literal. Throws TypeError for a value without one. */
export function literalOf(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "string") return quoteText(value);
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value === "bigint" || Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return value.length === 0 ? "''" : `X'${Buffer.from(value).toString("hex")}'`;
  throw new TypeError(`A ${typeof value} cannot be a parameter of a statement.`);
}

/** Parts of a statement's text in which a question mark is no parameter; and a parameter. */
const PARTS =
  /`[^`]*`|'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*'|"[^"\\]*(?:(?:\\[\s\S]|"")[^"\\]*)*"|\/\*[\s\S]*?\*\/|--[ \t][^\n]*|\?/g;

/** The statement with its parameters as literals. Throws if it has more or fewer parameters than values. */
export function bindValues(statement: string, values: readonly unknown[]): string {
  if (values.length === 0) return statement;
  let next = 0;
  const bound = statement.replace(PARTS, (part) => (part === "?" ? literalOf(values[next++]) : part));
  if (next !== values.length) throw new Error(`A statement has ${next} parameters and got ${values.length} values.`);
  return bound;
}
