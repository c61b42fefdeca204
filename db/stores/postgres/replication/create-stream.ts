import type { RelaySession } from "../connection/sessions.ts";
import { checkSlot, type StreamNames } from "./check-slot.ts";
import type { SlotProblemCode } from "./slot-problem.ts";
import { withScript } from "./with-script.ts";

const CREATED: readonly SlotProblemCode[] = ["publication_missing", "slot_missing"];
/** Less than the patience of the connection, so that the server says what happened. */
const PATIENCE_MS = 8_000;
const QUERY_CANCELED = "57014";

type Session = Pick<RelaySession, "script">;

/**
 * Creates a missing publication and slot, and returns the SQL executed. Never changes or drops an existing one: its
 * readers depend on it. A slot begins where no transaction is open: throws, naming the longest, if one stays open for
 * `patienceMs`.
 */
export function createStream(input: { url: string; names: StreamNames; patienceMs?: number }): Promise<string[]> {
  const { url, names, patienceMs = PATIENCE_MS } = input;
  return withScript(url, async (session) => {
    await session.script(`SET statement_timeout = ${patienceMs}`);
    const ran: string[] = [];
    for (const code of CREATED) {
      const problem = (await checkSlot(session, names)).find((one) => one.code === code);
      if (!problem?.sql) continue;
      // A separate statement: a slot cannot be created in a transaction that has written.
      await session.script(problem.sql).catch(async (error: unknown) => {
        throw code === "slot_missing" && isCanceled(error) ? await whatItWaitsFor(session, patienceMs) : error;
      });
      ran.push(problem.sql);
    }
    return ran;
  });
}

function isCanceled(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === QUERY_CANCELED;
}

async function whatItWaitsFor(session: Session, patienceMs: number): Promise<Error> {
  const [rows] = await session.script(
    `SELECT pid::text, coalesce(nullif(application_name, ''), usename, 'an unnamed program'), extract(epoch FROM clock_timestamp() - xact_start)::int::text
     FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid() ORDER BY xact_start LIMIT 1`,
  );
  const [pid, program, seconds] = rows?.[0] ?? [];
  const longest = pid ? ` The longest is of ${program} (pid ${pid}), open for ${seconds} s.` : "";
  return new Error(
    `a slot can only be created once every transaction that has written is over, and ${patienceMs / 1000} s were not enough.${longest} End it, or run this again later.`,
  );
}
