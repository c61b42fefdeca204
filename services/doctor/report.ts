import type { DoctorFinding } from "#db/stores/port/doctor.ts";

/** What `npm run doctor` has found, as it is found. */
export interface DoctorReport {
  ok(text: string): void;
  /** Of no consequence yet: not counted among what is to be looked at. */
  advise(text: string, fix?: string): void;
  /** `fix`: what to do about it, SQL or a command where there is one. */
  bad(text: string, fix?: string): void;
}

export function reportFindings(findings: readonly DoctorFinding[], report: DoctorReport): void {
  for (const { level, text, fix } of findings) {
    if (level === "ok") report.ok(text);
    else if (level === "later") report.advise(text, fix);
    else report.bad(text, fix);
  }
}
