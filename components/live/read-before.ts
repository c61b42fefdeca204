/** For useQuery: an answer that came with the page itself. `asOf`: when it was read, ISO 8601. */
export function readBefore<Data>(answer: Data, asOf: string) {
  return { initialData: answer, initialDataUpdatedAt: Date.parse(asOf) };
}
