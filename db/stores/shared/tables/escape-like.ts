/** A text as part of a LIKE pattern that matches it alone. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
