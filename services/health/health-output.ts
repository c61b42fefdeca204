import type { HealthCheck } from "#contracts/health.ts";
import type { HealthStatus } from "#domain/limits.ts";

/** What is said of a health that does not pass, most telling first: an outbox's verdict, its silent database, any other check. */
const TELLING = [/:verdict$/, /:database$/, /./];

/** One sentence: the first cause of the worst outbox, else the worst check, or that nothing is wrong. */
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
