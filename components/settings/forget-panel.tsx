"use client";

import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { apiPost } from "#components/api/api-client.ts";
import { outboxesQuery, sessionQuery } from "#components/api/queries.ts";
import { roleRefusal } from "#components/api/refusal.ts";
import { inboxesQuery } from "#components/inbox/inbox-queries.ts";
import { ConfirmDialog } from "#components/ui/dialogs/confirm-dialog.tsx";
import { toast } from "#components/ui/notices/toast.ts";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import css from "./settings.module.css";

interface GoneTable {
  kind: "outbox" | "inbox";
  name: string;
  table: string;
  problem: string;
}

/** Discovered outboxes and inboxes that are gone: health fails until they are back, mapped or forgotten. */
export function ForgetPanel() {
  const { data: list } = useQuery(outboxesQuery());
  const { data: inboxes } = useQuery(inboxesQuery());
  const { data: session } = useQuery(sessionQuery());
  const [chosen, setChosen] = useState<GoneTable | null>(null);
  const gone = [
    ...(list?.outboxes ?? []).map((one) => ({ ...one, kind: "outbox" as const })),
    ...(inboxes?.inboxes ?? []).map((one) => ({ ...one, kind: "inbox" as const })),
  ].flatMap((one): GoneTable[] =>
    one.absent?.forgettable
      ? [{ kind: one.kind, name: one.name, table: `${one.store}, ${one.table}`, problem: one.problem ?? "" }]
      : [],
  );
  if (gone.length === 0) return null;
  const mayForget = session !== undefined && roleRefusal(session, "admin") === undefined;
  return (
    <Panel title="Missing outboxes and inboxes" flush>
      <DataTable
        caption="Outboxes and inboxes whose table is gone"
        columns={columnsOf(mayForget, setChosen)}
        rows={gone}
        rowKey={(row) => `${row.kind} ${row.name}`}
      />
      {!mayForget && (
        <p className={`${css.text} ${css.flush}`}>If one is gone permanently, ask an admin to forget it.</p>
      )}
      {chosen && <ForgetDialog gone={chosen} onClose={() => setChosen(null)} />}
    </Panel>
  );
}

function columnsOf(mayForget: boolean, onForget: (row: GoneTable) => void): Column<GoneTable>[] {
  const button: Column<GoneTable> = {
    key: "forget",
    header: "",
    align: "right",
    cell: (row) => (
      <Button size="xs" onClick={() => onForget(row)}>
        Forget…
      </Button>
    ),
  };
  return [
    { key: "name", header: "Name", cell: (row) => <span className="mono">{row.name}</span> },
    {
      key: "table",
      header: "Store, table",
      hideOnPhone: true,
      cell: (row) => <span className="mono">{row.table}</span>,
    },
    { key: "problem", header: "What happened", cell: (row) => <span className={css.wrap}>{row.problem}</span> },
    ...(mayForget ? [button] : []),
  ];
}

function ForgetDialog({ gone: { kind, name }, onClose }: { gone: GoneTable; onClose: () => void }) {
  const queryClient = useQueryClient();
  const path = `/api/v1/${kind === "outbox" ? "outboxes" : "inboxes"}/${encodeURIComponent(name)}/forget`;
  const send = useMutation({
    mutationFn: (reason: string) => apiPost(z.unknown(), path, { reason }),
    onSuccess: () => {
      toast.done({ message: `${name} is forgotten.` });
      onClose();
    },
    onSettled: () => {
      for (const key of ["outboxes", "inboxes", "health"]) void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Forget ${name}`}
      consequence={`Health, metrics and lists no longer show this ${kind}, and alerting for it stops. Nothing in your database changes; if the table comes back, it is discovered again.`}
      confirmLabel="Forget"
      danger
      pending={send.isPending}
      error={send.error}
      onConfirm={(reason) => send.mutate(reason)}
    />
  );
}
