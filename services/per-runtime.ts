import type { Runtime } from "./runtime.ts";

/** A memory that each runtime has for itself, made at the first question and gone with the runtime. */
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
