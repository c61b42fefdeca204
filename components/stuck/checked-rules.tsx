import { IconChevronRight } from "@tabler/icons-react";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { FindingList } from "#contracts/watch/findings.ts";
import { formatPlural } from "#domain/format.ts";
import css from "./stuck.module.css";

type Rule = FindingList["checked"][number] & { found: number };

/** The rules that were checked, so that an empty page is meaningful; folded, because it is rarely needed. */
export function CheckedRules({ list }: { list: FindingList }) {
  const rows = list.checked.map((rule) => ({
    ...rule,
    found: list.findings.filter((finding) => finding.rule === rule.rule).length,
  }));
  const hits = rows.filter((rule) => rule.found > 0).length;
  return (
    <details className={css.rules}>
      <summary>
        <IconChevronRight size={14} aria-hidden />
        <b>{formatPlural(rows.length, "rule")} checked</b>
        <span className="muted">
          {hits === 0 ? "none applies" : `${hits} ${hits === 1 ? "applies" : "apply"}`}, as of{" "}
          <Instant at={list.asOf} /> UTC
          {list.unchecked.length > 0 && `; not checked: ${list.unchecked.map(({ title }) => title).join(", ")}`}
        </span>
      </summary>
      <DataTable caption="Rules that were checked" columns={COLUMNS} rows={rows} rowKey={(rule) => rule.rule} />
    </details>
  );
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
