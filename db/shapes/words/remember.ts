/** Names repeat from table to table; a catalog of many thousand different names is forgotten rather than kept. */
const MOST = 20_000;

/** The function with its results kept by their text. */
export function remember<Input, Result>(keyOf: (input: Input) => string, work: (input: Input) => Result) {
  const known = new Map<string, Result>();
  return (input: Input): Result => {
    const key = keyOf(input);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MOST) known.clear();
    const result = work(input);
    known.set(key, result);
    return result;
  };
}
