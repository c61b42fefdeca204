/** Longest stored text of an error, characters. */
const MOST_CHARACTERS = 2000;
const MOST_CAUSES = 5;

/**
 * The text that is stored of a failure, of at most `most` characters: the error and its causes, which often say more
 * than the error itself.
 */
export function errorText(error: unknown, most = MOST_CHARACTERS): string {
  const causes: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && causes.length < MOST_CAUSES; one = causeOf(one)) {
    if (causes.includes(one)) break;
    causes.push(one);
  }
  const text = causes.length === 0 ? String(error) : causes.map(textOf).join("; caused by ");
  return shortened(text.replaceAll("\0", " "), most);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return plainText(error);
  return `${error.name}: ${messageOf(error)}`;
}

function messageOf(error: Error): string {
  const { message, query, errors } = error as Error & { query?: unknown; errors?: unknown };
  // Drizzle adds the values of the statement, which may be personal.
  if (typeof query === "string" && message.startsWith("Failed query:")) return `Failed query: ${query}`;
  return message === "" && Array.isArray(errors) ? errors.map(textOf).join(", ") : message;
}

function plainText(thrown: unknown): string {
  try {
    // Other members of an object may be personal.
    const said = typeof thrown === "object" && thrown !== null && "message" in thrown ? thrown.message : undefined;
    return typeof said === "string" ? said : String(thrown);
  } catch {
    return "an error without a text";
  }
}

/** Half of it from the beginning and half from the end, where the reason often comes. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const gap = " … ";
  const beginning = Math.floor(most / 2);
  const ending = text.slice(text.length - (most - beginning - gap.length));
  // A cut may go through an emoji.
  return `${text.slice(0, beginning)}${gap}${ending}`.toWellFormed();
}
