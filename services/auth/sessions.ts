import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { SessionList } from "#contracts/access/session.ts";
import type { Records } from "#db/records/records.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import type { Actor } from "#domain/operator.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { consoleEntry } from "../audit/console-entry.ts";
import { processState } from "../process-state.ts";
import type { Runtime } from "../runtime.ts";

/** A shift and a half. */
export const SESSION_SECONDS = 12 * 3600;
/** How long a database answer is reused: a page makes a dozen requests at once. */
const FRESH_MS = 2000;
/** Longest wait for the database to confirm a session. */
const DEADLINE_MS = 1000;
/** How long the database is not asked after a failure. */
const SILENT_MS = 5000;
const LISTED = 200;

interface Known {
  session: { id: string; name: string; role: Actor["role"]; address: string };
  startedAt: number;
  seenAt: number;
  expiresAt: number;
  ended: boolean;
  /** Recorded in the database too. */
  recorded: boolean;
  freshUntil: number;
}

/** Sessions that this process has seen, per runtime. */
interface Memory {
  known: Map<string, Known>;
  silentUntil: number;
  /** Why the database does not keep them; null if it does. */
  problem: string | null;
}

const memories = () => processState("sessions", () => new WeakMap<Runtime, Memory>());

function memoryOf(runtime: Runtime): Memory {
  const found = memories().get(runtime);
  if (found) return found;
  const problem = runtime.records ? null : "There is no console database.";
  const made: Memory = { known: new Map(), silentUntil: 0, problem };
  memories().set(runtime, made);
  return made;
}

/**
 * Starts a session and returns its id. Stored in the console's database with an audit row, or only in this process,
 * without one, while that is unavailable.
 */
export async function startSession(runtime: Runtime, actor: Actor, address: string): Promise<string> {
  const id = randomUUID();
  const known = remember(runtime, { id, ...actor, address });
  const stored = { ...known.session, seconds: SESSION_SECONDS };
  const detail = `by ${runtime.config.auth.mode === "oidc" ? "identity provider" : "password"}${from(address)}`;
  const audit = consoleEntry(actor, "session.start", { detail });
  // The database may record it although no answer came in time: then it says from the next request on whether it is
  // open.
  known.recorded = (await ask(runtime, (records) => records.insertSession(stored, audit).then(() => true))) === true;
  return id;
}

/**
 * True if a session with a genuine cookie is still open. While the database is silent, the process uses the sessions it
 * knows, so that signed-in people can watch an outage; a session it never saw counts as closed.
 */
export async function isSessionOpen(runtime: Runtime, id: string, actor: Actor): Promise<boolean> {
  const memory = memoryOf(runtime);
  const known = memory.known.get(id);
  if (known && (known.ended || known.expiresAt < Date.now())) return false;
  if (known && performance.now() < known.freshUntil) return seen(known);
  const found = await ask(runtime, (records) => records.touchSession(id));
  // One that the database could not record when it began is open as long as this process knows it.
  if (found === undefined || (found === "absent" && known?.recorded === false))
    return known !== undefined && !known.ended && seen(known);
  const current = memory.known.get(id) ?? remember(runtime, { id, ...actor, address: "" });
  current.recorded = true;
  current.freshUntil = performance.now() + FRESH_MS;
  // This process may have ended it while the database was asked.
  current.ended ||= found !== "open";
  return !current.ended;
}

/**
 * Ends a session in this process at once, and in the database with an audit row, as soon as that answers. `how`: its
 * owner has signed out, or an admin ends it. True if it was open until now.
 */
export async function closeSession(
  runtime: Runtime,
  id: string,
  { by, how }: { by: Actor; how: "signed out" | "ended" },
): Promise<boolean> {
  const known = memoryOf(runtime).known.get(id);
  const open = known !== undefined && !known.ended;
  if (known) known.ended = true;
  const audit = ({ name, address }: { name: string; address: string }) =>
    consoleEntry(by, "session.end", { detail: `${how === "ended" ? `session of ${name}` : how}${from(address)}` });
  const end = () => ask(runtime, (records) => records.endSession({ id, by: by.name }, audit));
  const ended = await end();
  // A row whose answer did not come may still appear.
  if (known && (ended === undefined || (ended === false && !known.recorded))) void endLater(end, known.expiresAt);
  // The database was silent when it began, and has no row of it.
  if (ended === false && open && !known.recorded)
    await ask(runtime, (records) => records.recordAct(audit(known.session), async () => undefined));
  return ended === true || open;
}

/** Retries until the end is recorded or the session expires, because other consoles would still accept its cookie. */
async function endLater(end: () => Promise<boolean | undefined>, untilMs: number): Promise<void> {
  while (Date.now() < untilMs) {
    await delay(SILENT_MS, undefined, { ref: false });
    if ((await end()) !== undefined) return;
  }
}

const from = (address: string) => (address === "" ? "" : `, from ${address}`);

/** Open browser sessions, last seen first. */
export async function readSessions(runtime: Runtime, currentId: string | null): Promise<SessionList> {
  const recorded = (await ask(runtime, (records) => records.sessions(LISTED))) ?? [];
  const memory = memoryOf(runtime);
  const own = [...memory.known.values()]
    .filter((known) => !known.ended && known.expiresAt > Date.now())
    .filter((known) => !recorded.some(({ id }) => id === known.session.id))
    .filter((known) => !known.recorded || memory.problem !== null)
    .map((known) => ({
      ...known.session,
      startedAt: new Date(known.startedAt).toISOString(),
      seenAt: new Date(known.seenAt).toISOString(),
      expiresAt: new Date(known.expiresAt).toISOString(),
    }));
  const sessions = [...own, ...recorded].slice(0, LISTED);
  return {
    kept: memory.problem === null ? "database" : "memory",
    problem: memory.problem,
    sessions: sessions.map((session) => ({ ...session, current: session.id === currentId })),
  };
}

function remember(runtime: Runtime, session: Known["session"]): Known {
  const { known } = memoryOf(runtime);
  const now = Date.now();
  for (const [id, old] of known) if (old.expiresAt < now) known.delete(id);
  const entry: Known = {
    session: { id: session.id, name: session.name, role: session.role, address: session.address },
    startedAt: now,
    seenAt: now,
    expiresAt: now + SESSION_SECONDS * 1000,
    ended: false,
    recorded: false,
    freshUntil: 0,
  };
  known.set(session.id, entry);
  return entry;
}

function seen(known: Known): true {
  known.seenAt = Date.now();
  return true;
}

/** Undefined without a database, or if it fails or does not answer in time. */
async function ask<T>(runtime: Runtime, question: (records: Records) => Promise<T>): Promise<T | undefined> {
  const memory = memoryOf(runtime);
  if (!runtime.records || performance.now() < memory.silentUntil) return undefined;
  const answer = question(runtime.records).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const result = await Promise.race([answer, deadline()]);
  if (result && "value" in result) {
    memory.problem = null;
    return result.value;
  }
  memory.silentUntil = performance.now() + SILENT_MS;
  memory.problem = problemOf(result?.error);
  return undefined;
}

function problemOf(error: unknown): string {
  const trouble = troubleOf(error);
  if (trouble === "missing")
    return `The console's database has no table of this version for them: run ${ourCommand("migrate")}.`;
  if (trouble === "forbidden") return "The user of the console's database may not write to it.";
  return "The console's database does not answer.";
}

function deadline(): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), DEADLINE_MS).unref());
}
