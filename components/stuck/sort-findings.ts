import type { Finding } from "#contracts/findings.ts";

/** Worst first: what fails before what warns, then what holds most messages, then what has lasted longest. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) =>
      Number(b.severity === "fail") - Number(a.severity === "fail") ||
      (b.messages ?? 0) - (a.messages ?? 0) ||
      Date.parse(a.since) - Date.parse(b.since),
  );
}
