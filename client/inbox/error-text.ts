/** Longest stored text of an error, characters. */
const MOST_CHARACTERS = 2000;
/** Of its beginning, where the rest is too long; the reason often comes last. */
const BEGINNING = 1000;
const MOST_CAUSES = 5;

/** The text that is stored of a failure: the error and its causes, which often say more than the error itself. */
export function errorText(error: unknown): string {
  const causes: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && causes.length < MOST_CAUSES; one = causeOf(one)) {
    if (causes.includes(one)) break;
    causes.push(one);
  }
  const text = causes.length === 0 ? String(error) : causes.map(textOf).join("; caused by ");
  return shortened(text.replaceAll("\0", " "));
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
    return String(thrown);
  } catch {
    return "an error without a text";
  }
}

function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const gap = " … ";
  const ending = text.slice(text.length - (MOST_CHARACTERS - BEGINNING - gap.length));
  // A cut may go through an emoji.
  return `${text.slice(0, BEGINNING)}${gap}${ending}`.toWellFormed();
}
