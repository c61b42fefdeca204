/** "018f6c2e-3b1d-7c44-9a41-0c9e" -> "018f6c2e…0c9e"; short ids stay whole. */
export function shortenId(id: string, head = 8, tail = 4): string {
  return id.length <= head + tail + 2 ? id : `${id.slice(0, head)}…${id.slice(-tail)}`;
}
