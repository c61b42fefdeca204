"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { type ReactNode, useState } from "react";
import { NoOutbox } from "#components/outbox/no-outbox.tsx";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { PageHeader } from "#components/ui/page/page-header.tsx";
import type { MappingPreview, MappingProposal } from "#contracts/outbox/mapping.ts";
import css from "./mapping.module.css";
import { mappingQuery, pathOfOutbox, pathOfTable } from "./mapping-query.ts";
import { valuesIn, withColumn, withKind, withValue } from "./proposal.ts";
import { RolesPanel } from "./roles-panel.tsx";
import { SavePanel } from "./save-panel.tsx";
import { ShownPanel } from "./shown-panel.tsx";
import { StatementsPanel } from "./statements-panel.tsx";
import { ValuesPanel } from "./values-panel.tsx";

/**
 * Tries another mapping of an outbox on its rows, or of a table that may be one (`?store=…&table=…`), and gives the
 * lines for outbox.yaml or saves them. The table is only read.
 */
export function MappingPage() {
  const params = useSearchParams();
  const { name, isPending } = useOutbox();
  const [store, table] = [params.get("store"), params.get("table")];
  // A proposal belongs to its table.
  if (store !== null && table !== null)
    return <MappingEditor key={`${store} ${table}`} path={pathOfTable(store, table)} title={table} back="/" />;
  if (name === undefined) return isPending ? <div className={css.bones} aria-busy /> : <NoOutbox />;
  return (
    <MappingEditor
      key={name}
      path={pathOfOutbox(name)}
      title={`Mapping of ${name}`}
      back={outboxHref("/settings", name)}
    />
  );
}

function MappingEditor({ path, title, back }: { path: string; title: string; back: string }) {
  const [proposal, setProposal] = useState<MappingProposal | null>(null);
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery(mappingQuery(path, proposal));
  const change = (next: (from: MappingProposal) => MappingProposal) =>
    data && setProposal(next(proposal ?? data.proposal));
  return (
    <>
      <PageHeader
        title={data ? titleOf(data) : title}
        lead="Change a column or a value and see this table as it would be shown. Nothing changes until you save."
        actions={
          proposal === null ? (
            <Link className={css.link} href={back}>
              {back === "/" ? "Back to all outboxes" : "Back to the settings"}
            </Link>
          ) : (
            <button type="button" className={css.link} onClick={() => setProposal(null)}>
              Discard the changes
            </button>
          )
        }
      />
      <div className={css.stack} aria-busy={isFetching || undefined}>
        {error !== null && (
          <ErrorNote title="This mapping could not be tried." error={error} onRetry={() => void refetch()} />
        )}
        {data === undefined ? (
          error === null && <div className={css.bones} aria-busy />
        ) : (
          <Loaded
            preview={asProposed(data, proposal)}
            save={
              <SavePanel
                {...{ path, preview: data, proposal }}
                stale={isPlaceholderData || error !== null}
                onSaved={() => setProposal(null)}
              />
            }
            onAnswer={setProposal}
            onColumn={(role, column) => change((from) => withColumn(from, role, column))}
            onKind={(kind) => change((from) => withKind(from, kind))}
            onValue={(value, state) => change((from) => withValue(from, data, { value, state }))}
          />
        )}
      </div>
    </>
  );
}

/** What the person has chosen is shown at once; counts and rows follow with the answer. */
function asProposed(preview: MappingPreview, proposal: MappingProposal | null): MappingPreview {
  if (proposal === null) return preview;
  const { columns, lifecycle } = proposal;
  return {
    ...preview,
    roles: preview.roles.map((one) => ({ ...one, column: columns[one.role] ?? one.column })),
    lifecycle: { ...preview.lifecycle, kind: lifecycle?.kind ?? preview.lifecycle.kind },
    values: preview.values && { ...preview.values, values: valuesIn(proposal, preview.values.values) },
  };
}

function titleOf({ table, question, shape }: MappingPreview): string {
  if (question !== null) return `${table}: one question is open`;
  return shape.title === "" ? table : `${table}: ${shape.title}`;
}

type Handlers = Omit<Parameters<typeof RolesPanel>[0], "preview"> & Pick<Parameters<typeof ValuesPanel>[0], "onValue">;

interface LoadedProps extends Handlers {
  preview: MappingPreview;
  save: ReactNode;
  onAnswer: (answer: MappingProposal) => void;
}

function Loaded({ preview, save, onAnswer, onColumn, onKind, onValue }: LoadedProps) {
  const { problem, question, answer, values, lifecycle } = preview;
  return (
    <>
      {problem !== null && question === null && <ErrorNote title="This cannot be mapped.">{problem}</ErrorNote>}
      {question !== null && (
        <ErrorNote tone="warn" title="To be answered:">
          {question}{" "}
          {answer !== null && (
            <button type="button" className={css.answer} onClick={() => onAnswer(answer)}>
              Yes, as shown below
            </button>
          )}
        </ErrorNote>
      )}
      <div className={css.grid}>
        <div className={css.stack}>
          <RolesPanel preview={preview} onColumn={onColumn} onKind={onKind} />
          {values !== null && <ValuesPanel values={values} fixed={lifecycle.kind !== "status"} onValue={onValue} />}
        </div>
        <div className={css.stack}>
          {problem === null && <ShownPanel preview={preview} />}
          {save}
        </div>
      </div>
      {problem === null && <StatementsPanel statements={preview.statements} />}
    </>
  );
}
