import { z } from "zod";
import type { TimelineEntry } from "#contracts/watch/incidents.ts";
import type { DeployRow } from "#db/records/deploys.ts";
import type { SpanAct, SpanAlert, SpanFinding } from "#db/records/timeline.ts";
import { AppError } from "#domain/errors.ts";
import { formatDuration } from "#domain/format.ts";
import { isLater } from "#domain/message/failure-group.ts";
import type { Runtime } from "../runtime.ts";
import type { Entries } from "./store-entries.ts";

/** Of each kind. */
const MOST = 200;

interface Span {
  from: string;
  to: string;
  outboxes: readonly string[];
}

/** Findings, alerts, decisions about groups, and deploys. Never throws. */
export async function readConsoleEntries({ records, consoleGuard }: Runtime, span: Span): Promise<Entries> {
  try {
    if (!records || !consoleGuard) throw new AppError("wrong_state", "There is no console database.");
    const { from, to } = span;
    const only = span.outboxes.length === 0 ? null : span.outboxes;
    const ofDeploys = { outbox: null, ...(only ? { outboxes: only } : {}) };
    const [said, deploys] = await consoleGuard.ask(() =>
      Promise.all([
        records.span({ from, to, outboxes: only, limit: MOST }),
        records.deploys({ ...ofDeploys, from, to, limit: MOST }),
      ]),
    );
    const { findings, alerts, groupActs } = said;
    const full = Object.entries({ findings, alerts, decisions: groupActs, deploys }).filter(
      ([, rows]) => rows.length >= MOST,
    );
    return {
      entries: [
        ...findings.flatMap((finding) => findingEntries(finding, span)),
        ...alerts.map(alertEntry),
        ...groupActs.map(groupEntry),
        ...deploys.map(deployEntry),
      ],
      gaps: full.map(([what]) => `Of the ${what} only the newest ${MOST} are read.`),
    };
  } catch {
    return {
      entries: [],
      gaps: ["The console's database could not be read: findings, alerts, deploys and decisions are missing."],
    };
  }
}

const findingDetail = z.object({
  title: z.string(),
  severity: z.enum(["warn", "fail"]),
  sentence: z.string().nullable().catch(null),
});

/** Its beginning and, if it is over, its end, as far as they are inside. */
function findingEntries({ outbox, rule, since, closedAt, detail }: SpanFinding, { from, to }: Span): TimelineEntry[] {
  const parsed = findingDetail.safeParse(detail);
  const { title, severity, sentence } = parsed.success
    ? parsed.data
    : { title: rule, severity: "warn" as const, sentence: null };
  const base = { kind: "finding", outbox, by: null, href: `/stuck?outbox=${encodeURIComponent(outbox)}` } as const;
  const entries: TimelineEntry[] = [];
  if (!isLater(from, since))
    entries.push({ ...base, at: since, tone: severity === "fail" ? "bad" : "warn", text: title, detail: sentence });
  if (closedAt !== null && isLater(to, closedAt)) {
    const lasted = formatDuration((Date.parse(closedAt) - Date.parse(since)) / 1000);
    entries.push({ ...base, at: closedAt, tone: "neutral", text: `Over: ${title}`, detail: `It lasted ${lasted}.` });
  }
  return entries;
}

const EVENTS = { trigger: "Alert to", resolve: "Resolved alert to", test: "Test of" } as const;

function alertEntry({ webhook, outbox, event, summary, at, deliveredAt, error }: SpanAlert): TimelineEntry {
  const delivered =
    deliveredAt === null
      ? `not delivered${error === null ? " yet" : `: ${error}`}`
      : `delivered in ${formatDuration((Date.parse(deliveredAt) - Date.parse(at)) / 1000)}`;
  return {
    ...{ at, kind: "alert", tone: "neutral", outbox, by: null },
    text: `${EVENTS[event]} webhook ${webhook}, ${delivered}`,
    detail: summary,
    href: null,
  };
}

const ACTS: Record<string, string> = {
  "group.note": "Note on a failure group",
  "group.claim": "Claimed a failure group",
  "group.release": "Released a failure group",
  "group.resolve": "Resolved a failure group",
  "group.reopen": "Reopened a failure group",
  "group.ignore": "Ignores a failure group",
  "group.heed": "No longer ignores a failure group",
};

function groupEntry({ at, actor, action, outbox, reason, detail }: SpanAct): TimelineEntry {
  return {
    ...{ at, kind: "group", tone: "neutral", outbox, by: actor },
    text: ACTS[action] ?? action,
    detail: [detail, reason].filter((part) => part !== null).join("; ") || null,
    href: outbox === null ? null : `/failures?outbox=${encodeURIComponent(outbox)}`,
  };
}

function deployEntry({ at, service, version, outbox, link, reportedBy }: DeployRow): TimelineEntry {
  return {
    ...{ at, kind: "deploy", tone: "neutral", outbox, by: reportedBy },
    text: `Deploy ${service} ${version}`,
    detail: "Nothing but the time links it.",
    href: link,
  };
}
