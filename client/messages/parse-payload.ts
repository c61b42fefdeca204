/** JSON as its value; a text that is no JSON as it is; null for none. */
export function parsePayload(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
