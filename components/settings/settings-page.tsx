"use client";

import { useQuery } from "@tanstack/react-query";
import { outboxQuery } from "#components/api/queries.ts";
import { useFailure } from "#components/live/use-failure.ts";
import { NoOutbox } from "#components/outbox/no-outbox.tsx";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import { AccessPanel } from "./access-panel.tsx";
import { AlertsPanel } from "./alerts-panel.tsx";
import { ForgetPanel } from "./forget-panel.tsx";
import { HealthPanel } from "./health-panel.tsx";
import { IndexesPanel } from "./indexes-panel.tsx";
import { MappingPanel } from "./mapping-panel.tsx";
import { ModePanel } from "./mode-panel.tsx";
import { RelayPanel } from "./relay-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import css from "./settings.module.css";
import { ThresholdsPanel } from "./thresholds-panel.tsx";
import { TokensPanel } from "./tokens-panel.tsx";

/** What the console knows about this outbox and from which source; all settings are changed in outbox.yaml. */
export function SettingsPage() {
  const { name, list, isPending } = useOutbox();
  const { data, refetch } = useQuery({ ...outboxQuery(name ?? ""), enabled: name !== undefined });
  const error = useFailure(outboxQuery(name ?? "").queryKey);
  return (
    <>
      <PageHeader
        title={name === undefined ? "Settings" : `Settings of ${name}`}
        lead="Recognised from the catalog and read from outbox.yaml. To change a setting, edit outbox.yaml."
      />
      <div className={css.stack}>
        {error !== null && (
          <ErrorNote title="The settings could not be read." error={error} onRetry={() => void refetch()} />
        )}
        {data?.warnings.map((warning) => (
          <ErrorNote key={warning} tone="warn">
            {warning}
          </ErrorNote>
        ))}
        {name === undefined && !isPending ? (
          <NoOutbox />
        ) : data === undefined ? (
          error === null && <div className={css.bones} aria-busy />
        ) : (
          <>
            <div className={css.grid}>
              <MappingPanel detail={data} />
              <div className={css.column}>
                <ModePanel detail={data} />
                <ThresholdsPanel detail={data} />
                <RelayPanel detail={data} />
              </div>
            </div>
            <IndexesPanel detail={data} />
          </>
        )}
        <ForgetPanel />
        <HealthPanel outbox={name} />
        <AlertsPanel />
        <AccessPanel version={list?.version} />
        <SessionsPanel />
        <TokensPanel />
      </div>
    </>
  );
}
