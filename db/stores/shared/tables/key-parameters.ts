/** Transposes keys into one array per key column, as parameters for `keyMatch`. */
export function keyParameters(keys: readonly (readonly string[])[], keyLength: number): string[][] {
  return Array.from({ length: keyLength }, (_, index) => keys.map((key) => key[index] ?? ""));
}
