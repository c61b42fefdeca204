/** One result of a store check. `later`: no consequence yet. `fix`: what to do, as a statement if there is one. */
export interface DoctorFinding {
  level: "ok" | "later" | "bad";
  text: string;
  fix?: string;
}

/** A database that the configuration opens, and what for. */
export interface DatabaseUse {
  /** Name for sentences, e.g. `store shop`. */
  name: string;
  url: string;
  writes: boolean;
  /** Set for the console's own database. */
  records?: true;
  /** Most connections that one console and one worker together open to it. */
  connections: number;
}
