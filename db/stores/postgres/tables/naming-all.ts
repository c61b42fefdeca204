/** A SELECT that names every parameter of a list: one that is not named has no type, and the statement is refused. */
export function namingAll(select: string, values: readonly unknown[]): string {
  const unnamed = values.map((_, index) => `$${index + 1}`).filter((name) => !isNamed(select, name));
  if (unnamed.length === 0) return select;
  return `WITH unnamed AS (SELECT ${unnamed.map((name) => `${name}::text`).join(", ")}) ${select}`;
}

function isNamed(select: string, name: string): boolean {
  return new RegExp(`\\${name}(?!\\d)`).test(select);
}
