/** What `npm run doctor` has found, as it is found. */
export interface DoctorReport {
  ok(text: string): void;
  /** `fix`: what to do about it, SQL or a command where there is one. */
  bad(text: string, fix?: string): void;
}
