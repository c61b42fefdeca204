export interface DiffLine {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Longer texts are compared by their common beginning and end alone. */
const MOST_COMPARED = 2_000;

/** Which lines were removed and added, in order; removed ones stand before what was added in their place. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ kind: "same", text }));
  return [
    ...same(old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...same(old.slice(old.length - end)),
  ];
}

function middle(old: string[], now: string[]): DiffLine[] {
  if (old.length * now.length > MOST_COMPARED * MOST_COMPARED || old.length === 0 || now.length === 0)
    return [...marked("removed", old), ...marked("added", now)];
  const common = commonLengths(old, now);
  const lines: DiffLine[] = [];
  let [left, right] = [0, 0];
  while (left < old.length || right < now.length) {
    const here = (l: number, r: number) => common[l * (now.length + 1) + r] ?? 0;
    if (left < old.length && right < now.length && old[left] === now[right]) {
      lines.push({ kind: "same", text: old[left] ?? "" });
      left += 1;
      right += 1;
    } else if (left < old.length && (right === now.length || here(left + 1, right) >= here(left, right + 1))) {
      lines.push({ kind: "removed", text: old[left] ?? "" });
      left += 1;
    } else {
      lines.push({ kind: "added", text: now[right] ?? "" });
      right += 1;
    }
  }
  return lines;
}

function marked(kind: DiffLine["kind"], lines: string[]): DiffLine[] {
  return lines.map((text) => ({ kind, text }));
}

/** Length of the longest common part of each pair of ends. */
function commonLengths(old: string[], now: string[]): Uint32Array {
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let left = old.length - 1; left >= 0; left -= 1)
    for (let right = now.length - 1; right >= 0; right -= 1) {
      const below = common[(left + 1) * width + right] ?? 0;
      const beside = common[left * width + right + 1] ?? 0;
      const both = (common[(left + 1) * width + right + 1] ?? 0) + 1;
      common[left * width + right] = old[left] === now[right] ? both : Math.max(below, beside);
    }
  return common;
}
