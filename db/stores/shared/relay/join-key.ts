/** An aggregate as one text, as `aggregateKeyExpression` of the engines builds it in SQL: null if any part is null. */
export function joinKey(typed: boolean, type: string | null, id: string | null): string | null {
  if (id === null || !typed) return id;
  return type === null ? null : `${type}/${id}`;
}
