const holder = globalThis as typeof globalThis & { outboxConsoleState?: Map<string, unknown> };

/** State shared by the whole process: bundles of pages, endpoints and proxy have separate module instances. */
export function processState<State>(key: string, make: () => State): State {
  holder.outboxConsoleState ??= new Map();
  const known = holder.outboxConsoleState.get(key);
  if (known !== undefined) return known as State;
  const made = make();
  holder.outboxConsoleState.set(key, made);
  return made;
}
