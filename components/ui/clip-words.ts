/** The beginning of a text, cut after a word; what has no words in reach is cut where it must be. */
export function clipWords(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most + 1);
  const end = Math.max(head.lastIndexOf(" "), head.search(/[,:;}\]][^,:;}\]]*$/));
  return `${head.slice(0, end > most / 2 ? end : most).trimEnd()}…`;
}
