/** The text of an answer, or the beginning of a longer one; `whole` says which. The rest is not read. */
export async function readAtMost(answer: Response, bytes: number): Promise<{ text: string; whole: boolean }> {
  const reader = answer.body?.getReader();
  if (!reader) return { text: "", whole: true };
  const decoder = new TextDecoder();
  let text = "";
  let left = bytes;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value.subarray(0, left), { stream: true });
    left -= part.value.length;
    if (left >= 0) continue;
    await reader.cancel().catch(() => undefined);
    return { text, whole: false };
  }
  return { text: text + decoder.decode(), whole: true };
}
