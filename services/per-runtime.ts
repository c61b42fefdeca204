import type { Runtime } from "./runtime.ts";

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
