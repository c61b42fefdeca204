import type { PoolClient } from "pg";

/** A plan method of the planner, or `jit`. */
type Method = "hashjoin" | "mergejoin" | "sort" | "seqscan" | "bitmapscan" | "jit";

/** Runs reads of an open transaction with these plan methods off; a plan uses one only if there is no other. */
export async function withPlannerOff<T>(
  client: PoolClient,
  methods: readonly Method[],
  work: () => PromiseLike<T>,
): Promise<T> {
  const names = methods.map((method) => (method === "jit" ? method : `enable_${method}`));
  const set = (value: string) => client.query(names.map((name) => `SET LOCAL ${name} ${value}`).join("; "));
  await set("= off");
  const result = await work();
  await set("TO DEFAULT");
  return result;
}
