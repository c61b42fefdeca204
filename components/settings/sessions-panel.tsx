"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { sessionQuery, sessionsQuery } from "#components/api/queries.ts";
import { endSession } from "#components/api/session-commands.ts";
import { takeAnswer } from "#components/api/take-answer.ts";
import { useFailure } from "#components/live/use-failure.ts";
import { SureButton } from "#components/ui/controls/sure-button.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { openSessionSchema, SessionList } from "#contracts/access/session.ts";
import { formatPlural } from "#domain/format.ts";
import css from "./settings.module.css";

type OpenSession = z.infer<typeof openSessionSchema>;

/** Signed-in browsers, for admins; programs that send a password with each request have no session. */
export function SessionsPanel() {
  const { data } = useQuery(sessionQuery());
  return (data?.mode === "password" || data?.mode === "oidc") && data.actor?.role === "admin" ? <Sessions /> : null;
}

function Sessions() {
  const queryClient = useQueryClient();
  const { data } = useQuery(sessionsQuery());
  const error = useFailure(sessionsQuery().queryKey);
  const ending = useMutation({
    mutationFn: endSession,
    onSuccess: (list) => takeAnswer(queryClient, sessionsQuery().queryKey, list),
    // It may be done all the same.
    onError: () => queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey }),
  });
  const columns: Column<OpenSession>[] = [
    { key: "name", header: "Name", cell: ({ name }) => name, clip: true },
    { key: "role", header: "Role", cell: ({ role }) => role, width: "90px" },
    { key: "address", header: "From", cell: ({ address }) => address || "–", width: "150px", hideOnPhone: true },
    {
      key: "seen",
      header: "Last seen",
      cell: ({ seenAt }) => <Instant at={seenAt} />,
      width: "170px",
      hideOnPhone: true,
    },
    {
      key: "end",
      header: <span className="visually-hidden">End</span>,
      align: "right",
      width: "130px",
      cell: (session) =>
        session.current ? (
          <span className="muted">this one</span>
        ) : (
          <SureButton
            label={`End the session of ${session.name}`}
            sure="End it now"
            loading={ending.isPending && ending.variables === session.id}
            onRun={() => ending.mutate(session.id)}
          >
            End
          </SureButton>
        ),
    },
  ];
  return (
    <Panel title="Sessions" aside={data && formatPlural(data.sessions.length, "session")} flush>
      {(error ?? ending.error) !== null && <ErrorNote error={error ?? ending.error} />}
      {data?.sessions.length === 0 ? (
        <EmptyState small title="Nobody is signed in with a browser." />
      ) : (
        (data !== undefined || error === null) && (
          <DataTable
            caption="Open sessions"
            columns={columns}
            rows={data?.sessions}
            rowKey={({ id }) => id}
            skeletonRows={1}
          />
        )
      )}
      {data?.kept === "memory" && <p className={css.text}>{whereKept(data)}</p>}
    </Panel>
  );
}

function whereKept({ problem }: SessionList): string {
  return `Sessions are kept in the console's memory and end when it restarts. ${problem ?? ""}`.trim();
}
