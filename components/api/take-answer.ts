import type { DataTag, QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Shows what a command answered in the place of what was read before. A reading that is under way began before the
 * command ended: its answer, if it came later, would bring the old state back.
 */
export function takeAnswer<Key extends QueryKey, Data>(
  client: QueryClient,
  queryKey: Key & DataTag<Key, Data>,
  answer: Data,
): void {
  void client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<Data>(queryKey, answer);
}
