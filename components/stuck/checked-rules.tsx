import { type Column, DataTable } from "#components/ui/data-table.tsx";
import type { FindingList } from "#contracts/findings.ts";
import css from "./stuck.module.css";

type Rule = FindingList["checked"][number] & { found: number };

/** What was looked for, so that an empty page says what it means. */
export function CheckedRules({ list }: { list: FindingList }) {
  const rows = list.checked.map((rule) => ({
    ...rule,
    found: list.findings.filter((finding) => finding.rule === rule.rule).length,
  }));
  return <DataTable caption="Rules that were checked" columns={COLUMNS} rows={rows} rowKey={(rule) => rule.rule} />;
}

const COLUMNS: readonly Column<Rule>[] = [
  {
    key: "title",
    header: "Rule",
    cell: (rule) => (
      <>
        {rule.title}
        <span className={css.definitionOnPhone}>{rule.definition}</span>
      </>
    ),
  },
  {
    key: "definition",
    header: "Found when",
    width: "56%",
    hideOnPhone: true,
    cell: (rule) => <span className={css.definition}>{rule.definition}</span>,
  },
  { key: "threshold", header: "Limit", cell: (rule) => <span className={css.limit}>{rule.threshold}</span> },
  {
    key: "found",
    header: "Found",
    align: "right",
    cell: (rule) => (rule.found === 0 ? <span className="muted">none</span> : <b>{rule.found}</b>),
  },
];
