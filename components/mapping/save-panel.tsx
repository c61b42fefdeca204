"use client";

import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { apiPost } from "#components/api/api-client.ts";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { ConfirmDialog } from "#components/ui/dialogs/confirm-dialog.tsx";
import { toast } from "#components/ui/notices/toast.ts";
import { Panel } from "#components/ui/page/panel.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import { type MappingPreview, type MappingProposal, savedMappingSchema } from "#contracts/outbox/mapping.ts";
import css from "./mapping.module.css";
import { pathOfOutbox } from "./mapping-query.ts";

interface SavePanelProps {
  /** What the API says of this table's mapping. */
  path: string;
  preview: MappingPreview;
  /** Null while nothing was changed. */
  proposal: MappingProposal | null;
  /** The preview is not of this proposal, so it cannot be saved yet. */
  stale: boolean;
  onSaved: () => void;
}

/** The lines for outbox.yaml: to copy, or to save where this person may. */
export function SavePanel({ path, preview, proposal, stale, onSaved }: SavePanelProps) {
  const [asked, setAsked] = useState<"save" | "ignore" | null>(null);
  const { yaml, save, question } = preview;
  const changes = proposal !== null || !save.configured;
  return (
    <Panel title={save.file} aside={save.refusal === null ? "to copy or to save" : "to copy"}>
      {yaml !== "" && <CodeBlock text={yaml} label={`the lines for ${save.file}`} />}
      <p className={css.saving}>{sentenceOf(preview, changes)}</p>
      {save.refusal === null && (
        <div className={css.buttons}>
          <Button
            variant="filled"
            color="ink"
            disabled={stale || !changes || question !== null || preview.problem !== null}
            onClick={() => setAsked("save")}
          >
            Save…
          </Button>
          {!save.configured && <Button onClick={() => setAsked("ignore")}>Not an outbox…</Button>}
        </div>
      )}
      {asked !== null && <SaveDialog {...{ asked, path, preview, proposal, onSaved }} onClose={() => setAsked(null)} />}
    </Panel>
  );
}

const NO_ANSWER =
  "The mapping shown does not answer it yet: choose what marks a message as published, and name its value.";

function sentenceOf({ save, question, answer, problem }: MappingPreview, changes: boolean): string {
  if (save.refusal !== null) return save.refusal;
  if (problem !== null && question === null) return "It can be saved once the table can be mapped.";
  if (question !== null)
    return `The open question has to be answered before this can be saved.${answer === null ? ` ${NO_ANSWER}` : ""}`;
  if (!changes) return "This is how the table is read now.";
  return "Saving changes only this mapping in the file, keeps its comments, and is recorded in the audit. Your database is not changed.";
}

type DialogProps = Omit<SavePanelProps, "stale"> & { asked: "save" | "ignore"; onClose: () => void };

function SaveDialog({ asked, path, preview, proposal, onSaved, onClose }: DialogProps) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { save, table, outbox } = preview;
  const saves = asked === "save";
  const send = useMutation({
    mutationFn: (reason: string) =>
      saves
        ? apiPost(savedMappingSchema, `${path}/mapping/save`, {
            proposal: proposal ?? preview.proposal,
            version: save.version,
            reason,
          })
        : apiPost(savedMappingSchema, `${path}/ignore`, { reason }),
    onSuccess: ({ outbox: name, message }) => {
      toast.done({ message });
      onClose();
      // A table that has become an outbox, or is known to be none, has no mapping at its place any more.
      const gone = name === null || pathOfOutbox(name) !== path;
      if (gone) router.push(name === null ? "/" : outboxHref("/settings/mapping", name));
      else onSaved();
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => !(gone && queryKey[1] === path) });
    },
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={saves ? `Save the mapping of ${outbox}` : `${table} is not an outbox`}
      consequence={
        saves
          ? `${save.file} then says how ${table} is read. Where messages are acted on or published, the mapping is accepted as well.`
          : `${save.file} then says so, and the table is neither listed nor asked about. Nothing in your database changes.`
      }
      confirmLabel="Save"
      pending={send.isPending}
      error={send.error}
      onConfirm={(reason) => send.mutate(reason)}
    />
  );
}
