/** The start of a text, cut after a word; if no word ends nearby, cut anywhere. */
export function clipWords(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most + 1);
  const end = Math.max(head.lastIndexOf(" "), head.search(/[,:;}\]][^,:;}\]]*$/));
  return `${head.slice(0, end > most / 2 ? end : most).trimEnd()}…`;
}
