import { parse } from "lossless-json";

/**
 * The first key that an object of the JSON text has twice, with different values; null if there is none, or no JSON.
 */
export function repeatedKey(text: string): string | null {
  let repeated: string | null = null;
  try {
    parse(text, null, {
      onDuplicateKey: ({ key, newValue }) => {
        repeated ??= key;
        return newValue;
      },
    });
  } catch {
    return null;
  }
  return repeated;
}
