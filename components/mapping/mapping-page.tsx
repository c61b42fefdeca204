"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { NoOutbox } from "#components/shell/no-outbox.tsx";
import { outboxHref } from "#components/shell/outbox-href.ts";
import { useOutbox } from "#components/shell/use-outbox.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { ErrorNote } from "#components/ui/error-note.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Panel } from "#components/ui/panel.tsx";
import type { MappingPreview, MappingProposal } from "#contracts/mapping.ts";
import css from "./mapping.module.css";
import { mappingQuery } from "./mapping-query.ts";
import { proposalOf, valuesIn, withColumn, withKind, withValue } from "./proposal.ts";
import { RolesPanel } from "./roles-panel.tsx";
import { ShownPanel } from "./shown-panel.tsx";
import { StatementsPanel } from "./statements-panel.tsx";
import { ValuesPanel } from "./values-panel.tsx";

/** Tries another mapping of an outbox on its rows, and gives the lines for outbox.yaml. Writes nothing. */
export function MappingPage() {
  const { name, isPending } = useOutbox();
  if (name === undefined) return isPending ? <div className={css.bones} aria-busy /> : <NoOutbox />;
  // A proposal belongs to its outbox.
  return <MappingEditor key={name} outbox={name} />;
}

function MappingEditor({ outbox }: { outbox: string }) {
  const [proposal, setProposal] = useState<MappingProposal | null>(null);
  const { data, error, refetch, isFetching } = useQuery(mappingQuery(outbox, proposal));
  const change = (next: (from: MappingProposal) => MappingProposal) =>
    data && setProposal(next(proposal ?? proposalOf(data)));
  return (
    <>
      <PageHeader
        title={data ? titleOf(data) : `Mapping of ${outbox}`}
        lead="Change a column or a value and see this table as it would be shown. Nothing is saved: the lines for outbox.yaml are below."
        actions={
          proposal === null ? (
            <Link className={css.link} href={outboxHref("/settings", outbox)}>
              Back to the settings
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
          <ErrorNote title="The table could not be read so." error={error} onRetry={() => void refetch()} />
        )}
        {data === undefined ? (
          error === null && <div className={css.bones} aria-busy />
        ) : (
          <Loaded
            preview={asProposed(data, proposal)}
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

function Loaded({ preview, onColumn, onKind, onValue }: { preview: MappingPreview } & Handlers) {
  const { problem, question, values, lifecycle } = preview;
  return (
    <>
      {problem !== null && <ErrorNote title="This cannot be mapped.">{problem}</ErrorNote>}
      {question !== null && (
        <ErrorNote tone="warn" title="To be answered:">
          {question}
        </ErrorNote>
      )}
      <div className={css.grid}>
        <div className={css.stack}>
          <RolesPanel preview={preview} onColumn={onColumn} onKind={onKind} />
          {values !== null && <ValuesPanel values={values} fixed={lifecycle.kind !== "status"} onValue={onValue} />}
        </div>
        {problem === null && (
          <div className={css.stack}>
            <ShownPanel preview={preview} />
            <Panel title="outbox.yaml" aside="to paste">
              <CodeBlock text={preview.yaml} label="the lines for outbox.yaml" />
            </Panel>
          </div>
        )}
      </div>
      {problem === null && <StatementsPanel statements={preview.statements} />}
    </>
  );
}
