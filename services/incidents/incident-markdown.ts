import type { IncidentDetail, TimelineEntry } from "#contracts/watch/incidents.ts";
import { formatDuration } from "#domain/format.ts";

/** The incident as Markdown, in UTC, oldest entry first, without payloads. */
export function incidentMarkdown(incident: IncidentDetail): string {
  const { id, title, since, openedBy, lead, outboxes, ended, timeline, gaps, asOf } = incident;
  const until = ended?.at ?? asOf;
  const lasted = formatDuration(Math.max(0, Date.parse(until) - Date.parse(since)) / 1000);
  const facts = [
    `- Since ${stamp(since)} UTC; ${ended ? `ended ${stamp(ended.at)} UTC by ${plain(ended.by)}, after ${lasted}` : `open for ${lasted}`}`,
    `- Opened by ${plain(openedBy)}; ${lead ? `${plain(lead.name)} leads` : "nobody leads"}`,
    `- Outboxes: ${outboxes.length === 0 ? "all" : outboxes.map(plain).join(", ")}`,
    ...(ended ? [`- Outcome: ${plain(ended.outcome)}`] : []),
  ];
  const rows = timeline.toReversed().map(tableRow);
  return [
    `# Incident ${id}: ${plain(title)}`,
    "",
    ...facts,
    "",
    "| UTC | outbox | what | who |",
    "|---|---|---|---|",
    ...rows,
    "",
    ...(gaps.length === 0 ? [] : ["Missing here:", "", ...gaps.map((gap) => `- ${plain(gap)}`), ""]),
    `As of ${stamp(asOf)} UTC.`,
    "",
  ].join("\n");
}

export function incidentFileName({ id }: IncidentDetail): string {
  return `incident-${id}.md`;
}

function tableRow({ at, outbox, text, detail, by }: TimelineEntry): string {
  const what = detail === null ? plain(text) : `${plain(text)} (${plain(detail)})`;
  return `| ${stamp(at)} | ${plain(outbox ?? "")} | ${what} | ${plain(by ?? "")} |`;
}

function stamp(at: string): string {
  return at.slice(0, 19).replace("T", " ");
}

/** Text of people and errors must not become markup, break the table, or load anything. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]|~#]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;");
}
