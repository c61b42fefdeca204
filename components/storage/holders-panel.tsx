import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Age } from "#components/ui/values/age.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import type { StorageHolder } from "#contracts/outbox/storage.ts";
import { formatCount } from "#domain/format.ts";
import css from "./storage.module.css";

/** Long enough that removed rows pile up behind it. */
const LONG_SECONDS = 60;

/** Statements to copy: the console never ends a session itself. */
export function HoldersPanel({ holders }: { holders: readonly StorageHolder[] }) {
  if (holders.length === 0)
    return (
      <Panel title="Who holds back clean-up" flush>
        <EmptyState small title="No transaction has been open for more than 5 s." />
      </Panel>
    );
  const [oldest] = holders;
  return (
    <Panel title="Who holds back clean-up" aside="oldest first" flush>
      <DataTable
        caption="Sessions, prepared transactions and slots that keep removed rows, or lock the table"
        rows={holders}
        rowKey={({ kind, name, pid, holds }) => `${kind} ${name} ${pid} ${holds}`}
        columns={[
          { key: "holder", header: "Holder", clip: true, width: "38%", cell: (holder) => <Holder {...holder} /> },
          { key: "holds", header: "Holds", clip: true, width: "20%", hideOnPhone: true, cell: ({ holds }) => holds },
          { key: "state", header: "State", cell: ({ state }) => state ?? "–" },
          { key: "age", header: "Age", align: "right", cell: ({ ageSeconds }) => <HeldFor seconds={ageSeconds} /> },
          {
            key: "transactions",
            header: "xids",
            align: "right",
            hideOnPhone: true,
            cell: ({ transactions }) => (transactions === null ? "–" : formatCount(transactions)),
          },
        ]}
      />
      {oldest && <Statements holder={oldest} />}
    </Panel>
  );
}

function Holder({ name, pid, user, kind }: StorageHolder) {
  const what = kind === "session" ? "" : kind === "slot" ? " slot" : " prepared transaction";
  return (
    <span title={`${name}${user === null ? "" : `, user ${user}`}`}>
      <b>{name}</b>
      <span className="muted">
        {what}
        {pid === null ? "" : ` pid ${pid}`}
      </span>
    </span>
  );
}

function HeldFor({ seconds }: { seconds: number | null }) {
  return (
    <span className={seconds !== null && seconds > LONG_SECONDS ? css.warn : undefined}>
      <Age seconds={seconds} />
    </span>
  );
}

function Statements({ holder: { name, query, cancelSql, endSql } }: { holder: StorageHolder }) {
  return (
    <div className={css.under}>
      {query !== null && <p className={css.fine}>Last statement of {name}, without its values:</p>}
      <div className={css.codes}>
        {query !== null && <CodeBlock text={query} label="the statement" />}
        {cancelSql !== null && <CodeBlock text={cancelSql} label="the SQL that cancels its statement" />}
        {endSql !== null && <CodeBlock text={endSql} label="the SQL that ends it" />}
      </div>
    </div>
  );
}
