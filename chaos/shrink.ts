/**
 * Removes parts of a list while the rest still fails: halves first, then smaller parts, single elements last. Stops
 * when no single element can be removed, or after `runs` tries.
 */
export async function shrink<T>(
  list: readonly T[],
  runs: number,
  fails: (rest: T[]) => Promise<boolean>,
): Promise<T[]> {
  let current = [...list];
  let left = runs;
  let part = Math.ceil(current.length / 2);
  while (part >= 1 && left > 0) {
    let shrunk = false;
    for (let from = 0; from < current.length && left > 0; ) {
      const rest = current.toSpliced(from, part);
      left -= 1;
      if (await fails(rest)) [current, shrunk] = [rest, true];
      else from += part;
    }
    if (part === 1 && !shrunk) break;
    if (!shrunk || part > current.length) part = part === 1 ? 1 : Math.ceil(Math.min(part, current.length) / 2);
  }
  return current;
}
