import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import { allWaits, isUntoldByDesign, nothingGoesOut, pagePath } from "../phrases.ts";

export const notKnown: Rule = {
  rule: "not_known",
  title: "Not known",
  definition:
    "The number or the age of waiting messages cannot be read from the table, so the console cannot tell whether they flow.",
  threshold: () => "counts or ages that cannot be read",
  needs: [],
  evaluate: (input) => {
    const { figures } = input;
    if (!figures.waitingKnown && !isUntoldByDesign(input)) {
      const because =
        figures.unknownBecause ?? "no index serves this count, and reading the whole table would burden the database";
      const key = figures.tableLocked ? "locked" : figures.standsStill ? "stale" : "counts";
      return [draftOf(input, key, `how many messages wait, and since when, is not known: ${because}`, [])];
    }
    if (!figures.agesKnown && figures.waiting > 0) {
      const what = "the age of waiting messages is not known: no column says when they were created";
      return [draftOf(input, "ages", what, [allWaits(input), nothingGoesOut(input) ? "nothing is published" : null])];
    }
    if (!figures.deadKnown) {
      const what = "how many messages are dead is not known: no index serves this count";
      return [draftOf(input, "dead", what, [])];
    }
    return [];
  },
};

const SUBJECTS = {
  counts: "what waits",
  locked: "what waits",
  stale: "what waits",
  ages: "the age of what waits",
  dead: "dead messages",
} as const;

/** What to do, and where. */
function nextOf({ settings }: DiagnosisInput, key: keyof typeof SUBJECTS): Pick<CauseDraft, "nextStep" | "next"> {
  if (key === "locked")
    return {
      nextStep:
        "It is read again as soon as the lock is gone. Storage lists who holds it, with the SQL that ends the session; in MariaDB only where performance_schema is on.",
      next: { label: "See who holds the lock", path: pagePath("storage", settings.outbox) },
    };
  if (key === "stale")
    return {
      nextStep:
        "Connect the standby to its primary, or resume its replay (SELECT pg_wal_replay_resume()). Or let the URL name the primary.",
      next: { label: "See the address of the database", path: pagePath("settings", settings.outbox) },
    };
  const nextStep =
    key !== "ages"
      ? "Settings names the index or the permission that is missing, with the SQL."
      : "Name the column under columns.createdAt in outbox.yaml, or add one with a default of now().";
  return { nextStep, next: { label: "See what is missing", path: pagePath("settings", settings.outbox) } };
}

function draftOf(
  input: DiagnosisInput,
  key: keyof typeof SUBJECTS,
  what: string,
  clauses: (string | null)[],
): CauseDraft {
  return {
    key,
    word: "unknown",
    severity: "warn",
    title: "Not known",
    subject: SUBJECTS[key],
    what,
    saysSince: false,
    clauses,
    diagnosis: "The console does not call this delivering.",
    ...nextOf(input, key),
    messages: null,
    aggregates: null,
    since: null,
    evidence: [],
  };
}
