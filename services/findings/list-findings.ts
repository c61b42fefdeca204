import { type Finding, type FindingList, findingRuleSchema, findingSchema } from "#contracts/findings.ts";
import { toDatabaseError } from "#db/postgres/database-error.ts";
import { type FindingRow, type LastLook, readLastLook, readOpenFindings } from "#db/watchdog/finding-rows.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { SingleFlight } from "../single-flight.ts";
import { evaluateOutbox } from "./evaluate-outbox.ts";
import { findingId } from "./finding-id.ts";
import type { FindingRule } from "./rule.ts";
import { ruleSettingsOf } from "./rule-settings.ts";
import { RULES } from "./rules.ts";

/** What the monitor wrote longer ago is not told as the present. */
const FRESH_SECONDS = 20;
const ON_DEMAND_FRESH_MS = 2_000;

const flights = new WeakMap<Runtime, SingleFlight<FindingList>>();

/**
 * What is stuck in an outbox, grave first, then oldest first, and which rules were checked. From the monitor's last
 * look; where that is missing or old, the outbox is looked at now. Throws: not_found; unavailable.
 */
export async function listFindings(input: { runtime: Runtime; outbox: string }): Promise<FindingList> {
  const { runtime } = input;
  const outbox = await runtime.outbox(input.outbox);
  const kept = await readKept(runtime, outbox.name);
  if (kept?.look.monitorAlive && kept.look.ageSeconds <= FRESH_SECONDS) return listOfKept(outbox, kept);
  let flight = flights.get(runtime);
  if (!flight) {
    flight = new SingleFlight<FindingList>(ON_DEMAND_FRESH_MS);
    flights.set(runtime, flight);
  }
  return flight.run(outbox.name, () => lookNow(outbox, kept?.rows ?? []));
}

interface Kept {
  look: LastLook;
  rows: FindingRow[];
}

/** The console side may be down or not there yet: then the outbox is looked at all the same. */
async function readKept(runtime: Runtime, outbox: string): Promise<Kept | null> {
  const pool = runtime.consoleDb;
  if (!pool) return null;
  try {
    const look = await readLastLook(pool, outbox);
    return look ? { look, rows: await readOpenFindings(pool, outbox) } : null;
  } catch (error) {
    if (["unavailable", "query_timeout", "forbidden"].includes(toDatabaseError(error, "the console").code)) return null;
    throw error;
  }
}

function listOfKept(outbox: OutboxHandle, { look, rows }: Kept): FindingList {
  const findings = rows.flatMap((row) => {
    const rule = findingRuleSchema.safeParse(row.rule);
    if (!rule.success) return [];
    const identity = { id: findingId(outbox.name, rule.data, row.subject), outbox: outbox.name, rule: rule.data };
    const finding = findingSchema.safeParse({ ...(row.detail as object), ...identity, since: row.since });
    return finding.success ? [finding.data] : [];
  });
  return { findings: sortFindings(findings), checked: checkedRules(outbox, look.unread), asOf: look.lookedAt };
}

async function lookNow(outbox: OutboxHandle, kept: readonly FindingRow[]): Promise<FindingList> {
  try {
    const { findings, unread, asOf } = await evaluateOutbox({ outbox });
    const sinceOf = (rule: string, key: string) =>
      kept.find((row) => row.rule === rule && row.subject === key)?.since ?? asOf;
    return {
      findings: sortFindings(
        findings.map(({ key, since, ...draft }) => ({
          ...draft,
          id: findingId(outbox.name, draft.rule, key),
          outbox: outbox.name,
          since: since ?? sinceOf(draft.rule, key),
        })),
      ),
      checked: checkedRules(
        outbox,
        unread.map(({ rule }) => rule),
      ),
      asOf,
    };
  } catch (error) {
    throw toDatabaseError(error, `outbox ${outbox.name}`);
  }
}

function sortFindings(findings: Finding[]): Finding[] {
  const rank = (finding: Finding) => `${finding.severity === "fail" ? 0 : 1}${finding.since}`;
  return findings.toSorted((one, other) => rank(one).localeCompare(rank(other)));
}

/** A rule that could not be judged was not checked. */
function checkedRules(outbox: OutboxHandle, unread: readonly string[]): FindingList["checked"] {
  const settings = ruleSettingsOf(outbox);
  const judged = (rule: FindingRule) => !unread.includes(rule);
  return RULES.filter(({ rule }) => judged(rule)).map(({ rule, title, definition, threshold }) => ({
    rule,
    title,
    definition,
    threshold: threshold(settings),
  }));
}
