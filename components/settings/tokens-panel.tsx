"use client";

import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sessionQuery, tokensQuery } from "#components/api/queries.ts";
import { revokeToken } from "#components/api/session-commands.ts";
import { takeAnswer } from "#components/api/take-answer.ts";
import { useFailure } from "#components/live/use-failure.ts";
import { useServerNow } from "#components/live/use-now.ts";
import { SureButton } from "#components/ui/controls/sure-button.tsx";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { ApiToken } from "#contracts/access/tokens.ts";

const TokenDialog = lazyDialog(() => import("./token-dialog.tsx").then((module) => module.TokenDialog));

/** Secrets of programs, for admins. */
export function TokensPanel() {
  const { data } = useQuery(sessionQuery());
  return data?.actor?.role === "admin" ? <Tokens /> : null;
}

function Tokens() {
  const queryClient = useQueryClient();
  const nowMs = useServerNow();
  const [making, setMaking] = useState(false);
  const { data } = useQuery(tokensQuery());
  const error = useFailure(tokensQuery().queryKey);
  const revoking = useMutation({
    mutationFn: revokeToken,
    onSuccess: (list) => takeAnswer(queryClient, tokensQuery().queryKey, list),
    // It may be done all the same.
    onError: () => queryClient.invalidateQueries({ queryKey: tokensQuery().queryKey }),
  });
  const columns: Column<ApiToken>[] = [
    { key: "name", header: "Name", cell: ({ name }) => name, clip: true },
    { key: "scope", header: "Scope", cell: ({ scope }) => scope, width: "90px" },
    {
      key: "outboxes",
      header: "Outboxes",
      cell: ({ outboxes }) => outboxes?.join(", ") ?? "every outbox",
      clip: true,
      hideOnPhone: true,
    },
    {
      key: "used",
      header: "Last used",
      cell: ({ usedAt }) => (usedAt === null ? <span className="muted">never</span> : <Instant at={usedAt} />),
      width: "170px",
      hideOnPhone: true,
    },
    {
      key: "expires",
      header: "Expires",
      cell: ({ expiresAt }) => <Instant at={expiresAt} />,
      width: "170px",
      hideOnPhone: true,
    },
    {
      key: "revoke",
      header: <span className="visually-hidden">Revoke</span>,
      align: "right",
      width: "150px",
      cell: (token) => {
        if (token.revoked) return <span className="muted">revoked by {token.revoked.by}</span>;
        if (Date.parse(token.expiresAt) <= nowMs) return <span className="muted">expired</span>;
        return (
          <SureButton
            label={`Revoke the token ${token.name}`}
            sure="Revoke now"
            loading={revoking.isPending && revoking.variables === token.id}
            onRun={() => revoking.mutate(token.id)}
          >
            Revoke
          </SureButton>
        );
      },
    },
  ];
  return (
    <Panel
      title="API tokens"
      aside={
        <Button
          size="compact-xs"
          disabled={data === undefined || data.problem !== null}
          onClick={() => setMaking(true)}
        >
          New token…
        </Button>
      }
      flush
    >
      {(error ?? revoking.error) !== null && <ErrorNote error={error ?? revoking.error} />}
      {data?.tokens.length === 0 ? (
        <EmptyState small title={data.problem ?? "No program has a token yet."} />
      ) : (
        (data !== undefined || error === null) && (
          <DataTable
            caption="API tokens"
            columns={columns}
            rows={data?.tokens}
            rowKey={({ id }) => id}
            skeletonRows={1}
          />
        )
      )}
      {making && <TokenDialog onClose={() => setMaking(false)} />}
    </Panel>
  );
}
