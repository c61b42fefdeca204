/**
 * At most so many UTF-16 units, without the half of a character at the end: Postgres and strict readers of JSON refuse
 * a text that ends so.
 */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}
