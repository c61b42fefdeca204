import { rem } from "@mantine/core";
import type { HTMLAttributes, ReactNode } from "react";
import css from "./data-table.module.css";

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: "left" | "right";
  hideOnPhone?: boolean;
  /** Class of its cells, e.g. to hide the column on small screens. */
  className?: string | undefined;
  /**
   * Any CSS width; one in px grows with the font size. A column with `clip` takes the remaining width and truncates its
   * text with an ellipsis.
   */
  width?: string;
  clip?: boolean;
}

type RowAttributes = HTMLAttributes<HTMLTableRowElement> & Record<`data-${string}`, string | boolean | undefined>;

interface DataTableProps<Row> {
  /** For screen readers only. */
  caption: string;
  columns: readonly Column<Row>[];
  /** undefined while the first answer is pending: skeleton rows of the final size are shown. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  skeletonRows?: number;
  /** Narrower column gaps, for a table with many columns. */
  dense?: boolean;
  onRowClick?: (row: Row) => void;
  /** Key of the row that the side panel shows. */
  currentKey?: string | undefined;
  rowProps?: (row: Row) => RowAttributes;
}

/** A plain table: quiet header, 34 px rows, numbers to the right. Show an EmptyState instead when there are no rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, skeletonRows = 5, onRowClick, currentKey, rowProps, dense } = props;
  return (
    <div className={css.wrap}>
      <table className={css.table} data-dense={dense || undefined} aria-busy={rows === undefined || undefined}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={cellClass(column)} style={{ width: rem(column.width) }}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are all alike
                <SkeletonRow key={index} columns={columns} seed={index} />
              ))
            : rows.map((row) => (
                <tr
                  key={rowKey(row)}
                  data-clickable={onRowClick === undefined ? undefined : true}
                  data-current={currentKey === rowKey(row) || undefined}
                  onClick={onRowClick === undefined ? undefined : () => onRowClick(row)}
                  {...rowProps?.(row)}
                >
                  {columns.map((column) => (
                    <td
                      key={column.key}
                      className={cellClass(column)}
                      onMouseEnter={column.clip ? (event) => tellWhole(event.currentTarget) : undefined}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

/** The text of a cell that is truncated, under the pointer. */
function tellWhole(cell: HTMLElement): void {
  cell.title = cell.scrollWidth > cell.clientWidth ? (cell.textContent ?? "") : "";
}

const BONE_WIDTHS = [72, 54, 64, 48, 60];

function SkeletonRow<Row>({ columns, seed }: { columns: readonly Column<Row>[]; seed: number }) {
  return (
    <tr aria-hidden>
      {columns.map((column, index) => (
        <td key={column.key} className={cellClass(column)}>
          <span className={css.bone} style={{ width: rem(BONE_WIDTHS[(seed + index) % BONE_WIDTHS.length]) }} />
        </td>
      ))}
    </tr>
  );
}

function cellClass(column: Pick<Column<never>, "align" | "hideOnPhone" | "clip" | "className">): string | undefined {
  const names = [
    column.align === "right" && css.right,
    column.clip && css.clip,
    column.hideOnPhone && "hide-on-phone",
    column.className,
  ].filter(Boolean);
  return names.length === 0 ? undefined : names.join(" ");
}
