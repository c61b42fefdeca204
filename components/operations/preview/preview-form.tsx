"use client";

import { Button, TextInput } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ACTION_WORDS } from "#components/action/action-words.ts";
import { ReasonChoices } from "#components/action/reason-choices.tsx";
import { mayBeDone } from "#components/api/outage.ts";
import { isReason, ReasonField, submitOnKeys } from "#components/ui/dialogs/reason-field.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { OperationPreview, OperationRequest } from "#contracts/message/operations.ts";
import { getsNewMessages } from "#domain/message/bulk-operation.ts";
import type { BulkAsk } from "./bulk-ask.ts";
import css from "./preview-dialog.module.css";
import { PreviewNotes } from "./preview-notes.tsx";
import { PreviewTypes } from "./preview-types.tsx";
import { isTyped, startCount, startLabel, wordToType } from "./preview-words.ts";
import { SettingsFields } from "./settings-fields.tsx";
import { DEFAULT_INPUT, readSettings, type SettingsInput } from "./settings-input.ts";
import { SinkField, sinkOf } from "./sink-field.tsx";

interface PreviewFormProps {
  outbox: string;
  ask: BulkAsk;
  /** undefined until it was read. */
  preview: OperationPreview | undefined;
  readError: Error | null;
  onReadAgain: () => void;
  /** The reason has the focus at first. */
  focused: boolean;
  /** The reason at first: what was typed while the dialog's script loaded. */
  typed: string | undefined;
  pending: boolean;
  error: Error | null;
  onStart: (rest: Pick<OperationRequest, "reason" | "settings" | "confirm" | "sink">) => void;
  onCancel: () => void;
}

export function PreviewForm(props: PreviewFormProps) {
  const { outbox, ask, preview, pending, error } = props;
  const [reason, setReason] = useState(props.typed ?? "");
  const [typed, setTyped] = useState("");
  const initial: SettingsInput = { ...DEFAULT_INPUT, ...ask.pace };
  const [input, setInput] = useState(initial);
  const [chosenSink, setSink] = useState(ask.sink);
  const { settings } = readSettings(input);
  const sink = preview === undefined ? undefined : sinkOf(preview, chosenSink);
  const confirm = preview?.confirm ?? null;
  const word = preview === undefined ? null : wordToType(preview);
  const typedRight = word === null || isTyped(word, typed);
  const startable = preview !== undefined && preview.blocked === null && !isEmpty(preview);
  const sinkKnown = ask.action !== "republish" || sink !== undefined;
  /** What is sent again must be what was sent. */
  const unconfirmed = error !== null && mayBeDone(error);
  const start = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (unconfirmed) start.current?.focus();
  }, [unconfirmed]);
  const ready = startable && isReason(reason) && typedRight && settings !== null && sinkKnown;

  function submit(event: { preventDefault: () => void }) {
    event.preventDefault();
    if (!ready || pending) return;
    const answers = { ...(confirm === null ? {} : { confirm }), ...(sink === undefined ? {} : { sink }) };
    props.onStart({ reason: reason.trim(), settings, ...answers });
  }

  return (
    <form className={css.form} onSubmit={(event: FormEvent) => submit(event)} onKeyDown={submitOnKeys(submit)}>
      <p className={css.lead}>
        of {outbox}: {ask.words}
        {preview !== undefined && (
          <>
            , as of <Instant at={preview.asOf} /> UTC.
            {"filter" in ask.select &&
              getsNewMessages(ask.select.filter.state) &&
              " Messages that are created after the start stay out."}
          </>
        )}
      </p>
      <div className={css.columns}>
        <div className={css.preview} aria-busy={preview === undefined && props.readError === null}>
          <Read {...props} />
        </div>
        <fieldset className={css.inputs} disabled={pending || unconfirmed}>
          <ReasonField value={reason} onChange={setReason} focused={props.focused} />
          <ReasonChoices onChoose={setReason} />
          {word !== null && (
            <TextInput
              label={`Type ${word} to continue`}
              inputMode={word === "all" ? "text" : "numeric"}
              autoComplete="off"
              value={typed}
              rightSection={typedRight ? <IconCheck size={15} className="tone-ok" aria-hidden /> : undefined}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          {ask.action === "republish" && <SinkField sinks={preview?.sinks ?? []} sink={sink} onChoose={setSink} />}
          <SettingsFields
            action={ask.action}
            input={input}
            initial={initial}
            count={preview === undefined ? undefined : startCount(preview)}
            onChange={setInput}
          />
        </fieldset>
      </div>
      {error !== null && <StartError {...props} error={error} />}
      <div className={css.foot}>
        <p className="muted">{ACTION_WORDS[ask.action].consequence.several} You can pause it or cancel the rest.</p>
        <div className={css.buttons}>
          <Button onClick={props.onCancel} disabled={pending}>
            Cancel
          </Button>
          <Button ref={start} type="submit" variant="filled" disabled={!ready} loading={pending}>
            {startLabel(ask.action, preview)}
          </Button>
        </div>
      </div>
    </form>
  );
}

/**
 * After a lost answer the same request again begins nothing twice, but one with another count or reason would: only a
 * refused start leads to a new preview.
 */
function StartError({ ask, preview, error, onReadAgain }: PreviewFormProps & { error: Error }) {
  if (!mayBeDone(error))
    return (
      <ErrorNote title="It was not started." error={error} onRetry={onReadAgain} retryLabel="Read the preview again" />
    );
  return (
    <ErrorNote title="The start is not confirmed." error={error}>
      {` It may have begun: press ${startLabel(ask.action, preview)} again, which starts it at most once.`}
    </ErrorNote>
  );
}

function Read({ preview, readError, onReadAgain }: PreviewFormProps) {
  if (preview === undefined) {
    if (readError === null) return <Skeleton />;
    return <ErrorNote title="The preview could not be read." error={readError} onRetry={onReadAgain} />;
  }
  // What consumers have already is the question before a re-publish.
  const notesFirst = preview.action === "republish";
  return (
    <>
      {preview.blocked !== null && <ErrorNote title="It cannot be started.">{preview.blocked}</ErrorNote>}
      {notesFirst && <PreviewNotes preview={preview} />}
      {preview.matching.precision === "exact" && preview.matching.value === 0 ? (
        <p className="muted">No message matches now.</p>
      ) : (
        preview.types.length > 0 && <PreviewTypes preview={preview} />
      )}
      {!notesFirst && <PreviewNotes preview={preview} />}
    </>
  );
}

function Skeleton() {
  return (
    <>
      <span className="visually-hidden" role="status">
        Counting the messages
      </span>
      {[64, 82, 74, 58].map((width) => (
        <span key={width} className={css.bone} style={{ width: `${width}%` }} />
      ))}
    </>
  );
}

function isEmpty(preview: OperationPreview): boolean {
  const count = startCount(preview);
  return count.precision === "exact" && count.value === 0;
}
