const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True for a uuid in lower, upper or mixed case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** True for a uuid in lower case, which is how the console writes the ids that it makes. */
export function isLowerUuid(text: string): boolean {
  return UUID.test(text) && text === text.toLowerCase();
}
