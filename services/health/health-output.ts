import type { HealthCheck } from "#contracts/watch/health.ts";
import type { HealthStatus } from "#domain/figures/limits.ts";

/** Checks by how much they explain, most first: an outbox's verdict, its silent database, any other. */
const TELLING = [/:verdict$/, /:database$/, /./];

/**
 * One sentence: the first cause of an outbox that fails, with the names of the others; or else the worst check, or that
 * every check passes. The order is that of the names: checks end in any order, and an alert must not change with it.
 */
export function healthOutput(checks: Record<string, HealthCheck[]>): string {
  const entries = Object.entries(checks)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .flatMap(([name, list]) => list.map((check) => ({ name, check })));
  const worst = (status: HealthStatus) => {
    const found = entries.filter(({ check }) => check.status === status);
    return TELLING.flatMap((kind) => found.find(({ name }) => kind.test(name)) ?? [])[0];
  };
  const found = worst("fail") ?? worst("warn");
  if (!found) return "Every check passes.";
  const told = `${found.name.replace(/:verdict$/, "")}: ${found.check.output ?? found.check.status}`;
  const others = [...new Set(entries.filter(alike(found)).map(({ name }) => outboxOf(name)))];
  return others.length === 0 ? told : withOthers(told, found.check.status, others.join(", "));
}

function withOthers(told: string, status: HealthStatus, others: string): string {
  const word = status === "fail" ? "failing" : "warning";
  return told.endsWith(".") ? `${told} Also ${word}: ${others}.` : `${told}; also ${word}: ${others}`;
}

const outboxOf = (name: string) => name.replace(/:[^:]*$/, "");

interface Entry {
  name: string;
  check: HealthCheck;
}

/** Of another outbox, as bad, and as telling as an outbox's verdict or its silent database. */
const alike = (found: Entry) => (one: Entry) =>
  one.check.status === found.check.status &&
  outboxOf(one.name) !== outboxOf(found.name) &&
  TELLING.slice(0, 2).some((kind) => kind.test(found.name)) &&
  TELLING.slice(0, 2).some((kind) => kind.test(one.name));
