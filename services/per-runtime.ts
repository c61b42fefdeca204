import type { Runtime } from "./runtime.ts";

/** The same for what is one value for all people, whichever outboxes they see. */
export function perConsole<Memory>(make: () => Memory): (runtime: Runtime) => Memory {
  const memoryOf = perRuntime(make);
  return (runtime) => memoryOf(runtime.whole ?? runtime);
}

/** A value per runtime, created on first use and released with the runtime. */
export function perRuntime<Memory>(make: () => Memory): (runtime: Runtime) => Memory {
  const memories = new WeakMap<Runtime, Memory>();
  return (runtime) => {
    const known = memories.get(runtime);
    if (known !== undefined) return known;
    const memory = make();
    memories.set(runtime, memory);
    return memory;
  };
}
