import { IconCheck, IconX } from "@tabler/icons-react";
import { Badge } from "#components/ui/badges/badge.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { OutboxDetail } from "#contracts/outbox/outboxes.ts";
import css from "./settings.module.css";

const MODES: Record<OutboxDetail["mode"], string> = {
  observe:
    "Observe only: sessions are read-only, nothing is created or changed in this database, nothing is published.",
  operate:
    "The mode allows actions: operators may retry, dead-letter, archive and restore. Someone else's relay publishes.",
  relay: "The mode allows actions, and the console's own relay is the one that publishes this outbox.",
};

interface ActionRow {
  name: string;
  possible: boolean;
  text: string;
}

const ICON = { size: 12, stroke: 2.2, "aria-hidden": true } as const;

const COLUMNS: Column<ActionRow>[] = [
  { key: "action", header: "Action", cell: (row) => <span className={css.wrap}>{row.name}</span> },
  {
    key: "possible",
    header: "Possible",
    cell: (row) =>
      row.possible ? (
        <Badge tone="ok" icon={<IconCheck {...ICON} />}>
          yes
        </Badge>
      ) : (
        <Badge icon={<IconX {...ICON} />}>no</Badge>
      ),
  },
  { key: "how", header: "How, or why not", cell: (row) => <span className={css.wrap}>{row.text}</span> },
];

/** What else can be switched off, in words. */
const SWITCHED: Partial<Record<string, string>> = {
  bulk: "the possible actions on all messages that match",
  pause: "what our relay publishes",
};

/** Actions that are not possible for the same reason share a line. */
function together(rows: readonly ActionRow[]): ActionRow[] {
  return [...Map.groupBy(rows, ({ name, possible, text }) => (possible ? name : text)).values()].map((same) => ({
    ...(same[0] as ActionRow),
    name: same.map(({ name }) => name).join(", "),
  }));
}

/** What is allowed here and what is not, with the reason. */
export function ModePanel({ detail }: { detail: OutboxDetail }) {
  const rows = Object.entries(detail.capabilities.actions).map(([name, action]) => ({
    name,
    possible: action.possible,
    text: (action.possible ? (action.how ?? SWITCHED[name]) : action.reason) ?? "",
  }));
  const shown = together(rows);
  return (
    <Panel title="Mode" aside={detail.mode} flush>
      <p className={`${css.text} ${css.flush}`}>{MODES[detail.mode]}</p>
      <DataTable caption="Actions and how they are done" columns={COLUMNS} rows={shown} rowKey={(row) => row.name} />
    </Panel>
  );
}
