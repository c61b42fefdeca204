import pg, { type PoolClient } from "pg";

type RunQuery = (this: PoolClient, ...args: unknown[]) => Promise<{ rows: Record<string, string>[] }>;

/** Runs the work and returns the plans of every statement that reads `public.<table>`, in the settings it ran with. */
export async function plansOf(table: string, work: () => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: RunQuery };
  const original = prototype.query;
  prototype.query = async function spy(...args) {
    const [first, given] = args as [string | { text: string; values?: unknown[] }, unknown[] | undefined];
    const { text, values } =
      typeof first === "string" ? { text: first, values: given ?? [] } : { values: given ?? [], ...first };
    if (text.includes(`"public"."${table}" `) && !text.startsWith("EXPLAIN")) {
      const { rows } = await original.call(this, { text: `EXPLAIN ${text}`, values });
      plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
    }
    return original.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return plans;
}

/** The plans that scan the whole table. */
export function scansOfTable(plans: readonly string[], table: string): string[] {
  return plans.filter((plan) => new RegExp(`Seq Scan on (public\\.)?${table}\\b`).test(plan));
}
