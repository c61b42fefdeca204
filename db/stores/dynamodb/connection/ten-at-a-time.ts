const AT_ONCE = 10;

/**
 * The results of `work`, in the order of the inputs. More requests at once would take every connection from other
 * readers, and time out while they wait for one.
 */
export async function tenAtATime<Input, Result>(
  inputs: readonly Input[],
  work: (input: Input) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < inputs.length; from += AT_ONCE)
    results.push(...(await Promise.all(inputs.slice(from, from + AT_ONCE).map(work))));
  return results;
}
