/** What `npm run doctor` has found, as it is found. */
export interface DoctorReport {
  ok(text: string): void;
  /** Of no consequence yet: not counted among what is to be looked at. */
  advise(text: string, fix?: string): void;
  /** `fix`: what to do about it, SQL or a command where there is one. */
  bad(text: string, fix?: string): void;
}
