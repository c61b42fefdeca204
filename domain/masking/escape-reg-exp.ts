/** The text as an expression (flags `u` or none) that finds the text itself. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
