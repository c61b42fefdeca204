"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { SILENT } from "#components/action/plan-action.ts";
import { apiPost } from "#components/api/api-client.ts";
import { connectorQuery, sessionQuery } from "#components/api/queries.ts";
import { roleRefusal } from "#components/api/refusal.ts";
import { takeAnswer } from "#components/api/take-answer.ts";
import { GuardedButton } from "#components/ui/controls/guarded-button.tsx";
import { ConfirmDialog } from "#components/ui/dialogs/confirm-dialog.tsx";
import { toast } from "#components/ui/notices/toast.ts";
import { type Connector, type ConnectorAct, connectorSchema } from "#contracts/outbox/connectors.ts";
import css from "./relays.module.css";

type Chosen = Omit<ConnectorAct, "reason">;

/** The acts that the connector's state allows. Each asks for a reason first. */
export function ConnectorControls({ connector, silent }: { connector: Connector; silent: boolean }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const { data: session } = useQuery(sessionQuery());
  const refusal =
    roleRefusal(session, "operator", connector.outbox) ?? connector.refusal ?? (silent ? SILENT : undefined);
  return (
    <span className={css.acts}>
      {actsOf(connector).map((act) => (
        <GuardedButton key={`${act.act} ${act.task ?? ""}`} refusal={refusal} onRun={() => setChosen(act)}>
          {nameOf(act)}
        </GuardedButton>
      ))}
      {chosen !== null && <ActDialog connector={connector} chosen={chosen} onClose={() => setChosen(null)} />}
    </span>
  );
}

function ActDialog({ connector, chosen, onClose }: { connector: Connector; chosen: Chosen; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { outbox } = connector;
  const send = useMutation({
    mutationFn: (reason: string) =>
      apiPost(connectorSchema, `/api/v1/relays/${encodeURIComponent(outbox)}/connector`, { ...chosen, reason }),
    onSuccess: (data) => {
      takeAnswer(queryClient, connectorQuery(outbox).queryKey, data);
      toast.done({ message: `Kafka Connect was asked: ${nameOf(chosen).toLowerCase()} ${connector.connector}.` });
      onClose();
    },
    onSettled: () => {
      for (const key of ["connector", "snapshot", "outboxes"]) void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`${nameOf(chosen)}: ${connector.connector}`}
      consequence={CONSEQUENCES[chosen.act]}
      confirmLabel={nameOf(chosen)}
      pending={send.isPending}
      error={send.error}
      onConfirm={(reason) => send.mutate(reason)}
    />
  );
}

const CONSEQUENCES: Record<ConnectorAct["act"], string> = {
  pause:
    "Until it is resumed, the connector publishes nothing from any table that it reads. The server keeps the log for its slot until then, and a full disk stops every writer.",
  resume: "The connector continues from its position. Nothing is lost; the last messages may be repeated.",
  restart:
    "Kafka Connect restarts the connector and all its tasks. They continue from the stored position; what was published since, up to a minute, is repeated.",
  restart_task:
    "Kafka Connect restarts the task. It continues from the stored position; what was published since, up to a minute, is repeated.",
};

function actsOf({ state, tasks }: Connector): Chosen[] {
  if (state === null) return [];
  const failed = tasks.filter((task) => task.state === "FAILED");
  const halted = state === "PAUSED" || state === "STOPPED";
  return [
    ...failed.map(({ id }) => ({ act: "restart_task" as const, task: id })),
    { act: halted ? "resume" : "pause" },
    ...(halted ? [] : [{ act: "restart" as const }]),
  ];
}

function nameOf({ act, task }: Chosen): string {
  return { pause: "Pause", resume: "Resume", restart: "Restart", restart_task: `Restart task ${task}` }[act];
}
