import type { DoctorFinding } from "#db/stores/port/doctor.ts";

/** Receives the results of `npm run doctor` as they are found. */
export interface DoctorReport {
  ok(text: string): void;
  /** No consequence yet; not counted as a problem. */
  advise(text: string, fix?: string): void;
  /** `fix`: what to do, as SQL or a command if there is one. */
  bad(text: string, fix?: string): void;
}

export function reportFindings(findings: readonly DoctorFinding[], report: DoctorReport): void {
  for (const { level, text, fix } of findings) {
    if (level === "ok") report.ok(text);
    else if (level === "later") report.advise(text, fix);
    else report.bad(text, fix);
  }
}
