import { useState } from "react";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { formatCount } from "#domain/format.ts";
import css from "./reconciliation.module.css";

const SHOWN_FIRST = 10;

interface FirstRowsProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  /** The first of `total`. */
  rows: readonly Row[];
  total: number;
  rowKey: (row: Row) => string;
  testId: string;
}

/** A table that shows a few rows first, so that what follows it on the page stays in reach. */
export function FirstRows<Row>({ caption, columns, rows, total, rowKey, testId }: FirstRowsProps<Row>) {
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, SHOWN_FIRST);
  return (
    <>
      <DataTable
        caption={caption}
        columns={columns}
        rows={shown}
        rowKey={rowKey}
        rowProps={() => ({ "data-testid": testId })}
      />
      {shown.length < rows.length && (
        <p className={css.all}>
          <button type="button" className="link" onClick={() => setAll(true)}>
            Show {formatCount(rows.length)}
            {rows.length < total && ` of ${formatCount(total)}`}
          </button>
        </p>
      )}
      {shown.length === rows.length && rows.length < total && (
        <p className={css.looked}>
          These are the first {formatCount(rows.length)} of {formatCount(total)}.
        </p>
      )}
    </>
  );
}
