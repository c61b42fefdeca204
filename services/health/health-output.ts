import type { HealthCheck } from "#contracts/watch/health.ts";
import type { HealthStatus } from "#domain/figures/limits.ts";

/** Checks by how much they explain, most first: an outbox's verdict, its silent database, any other. */
const TELLING = [/:verdict$/, /:database$/, /./];

/** One sentence: the first cause of the worst outbox, or else the worst check, or that every check passes. */
export function healthOutput(checks: Record<string, HealthCheck[]>): string {
  const entries = Object.entries(checks).flatMap(([name, list]) => list.map((check) => ({ name, check })));
  const worst = (status: HealthStatus) => {
    const found = entries.filter(({ check }) => check.status === status);
    return TELLING.flatMap((kind) => found.find(({ name }) => kind.test(name)) ?? [])[0];
  };
  const found = worst("fail") ?? worst("warn");
  if (!found) return "Every check passes.";
  return `${found.name.replace(/:verdict$/, "")}: ${found.check.output ?? found.check.status}`;
}
