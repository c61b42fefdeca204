/** What this browser keeps under a key; null also where it keeps nothing, as with cookies blocked. */
export function readStored(key: string, kept: "localStorage" | "sessionStorage" = "localStorage"): string | null {
  try {
    return window[kept].getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text, or nothing. False where the browser's storage is full or forbidden. */
export function writeStored(
  key: string,
  text: string | undefined,
  kept: "localStorage" | "sessionStorage" = "localStorage",
): boolean {
  try {
    if (text === undefined) window[kept].removeItem(key);
    else window[kept].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
