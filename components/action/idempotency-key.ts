/** 128 random bits as hex. `crypto.randomUUID` does not exist over plain http, where consoles often run. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
