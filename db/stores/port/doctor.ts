/** What a look at a store has found. `later`: of no consequence yet. `fix`: what to do, a statement where there is one. */
export interface DoctorFinding {
  level: "ok" | "later" | "bad";
  text: string;
  fix?: string;
}

/** A database that a configuration opens, with what it is opened for. */
export interface DatabaseUse {
  /** In sentences, e.g. `store shop`. */
  name: string;
  url: string;
  writes: boolean;
  /** Connections that one console and one worker open to it at most. */
  connections: number;
}
