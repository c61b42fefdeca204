import { startStatementRecorder } from "#tests/statement-recorder.ts";

export interface CountedQueries {
  /** The database's, for the relays to be counted. */
  url: string;
  all(): number;
  /** Number of statements whose name matches. */
  named(pattern: RegExp): number;
  /** Number of distinct statement names after the first `skipped` statements. */
  kindsAfter(skipped: number): number;
  /** Times of the relay's peeks for new messages, oldest first, ms of the monotonic clock. */
  peekedAtMs(): number[];
  /** Counts from zero again. */
  forget(): void;
  close(): Promise<void>;
}

/** Counts the statements of relays' connections to the database. */
export async function countQueries(databaseUrl: string): Promise<CountedQueries> {
  const recorder = await startStatementRecorder(databaseUrl);
  const ofRelays = () => recorder.statements.filter(({ applicationName }) => /relay/.test(applicationName));
  const named = (pattern: RegExp) => ofRelays().filter(({ name }) => pattern.test(name));
  const names = () => ofRelays().map(({ name }) => name);
  return {
    url: recorder.url,
    all: () => names().length,
    named: (pattern) => named(pattern).length,
    kindsAfter: (skipped) => new Set(names().slice(skipped)).size,
    peekedAtMs: () => named(/^peek/).map(({ sentAtMs }) => sentAtMs),
    forget: recorder.forget,
    close: recorder.close,
  };
}
