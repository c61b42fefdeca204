"use client";

import { Button, Textarea } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import { rememberReason } from "#components/action/recent-reasons.ts";
import { mayBeDone } from "#components/api/outage.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { isReason, ReasonField, submitOnKeys } from "#components/ui/dialogs/reason-field.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { useUnsaved } from "#components/ui/page/use-unsaved.ts";
import type { Correction } from "#contracts/message/corrections.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";
import { isJson, MOST_EDITED_BYTES } from "#domain/message/correction.ts";
import css from "./correction.module.css";
import { DiffView } from "./diff-view.tsx";
import { layOutJson } from "./lay-out-json.ts";
import { useCorrection } from "./use-correction.ts";

interface EditorProps {
  outbox: string;
  /** The message as it was when the page opened. */
  opened: MessageDetail;
  /** Why nothing can be sent. */
  refusal: string | undefined;
  /** Nothing will be sent from this page, so nothing can be edited. */
  fixed: boolean;
  onSent: () => void;
}

export function Editor({ outbox, opened, refusal, fixed, onSent }: EditorProps) {
  const [original] = useState(() => textsOf(opened));
  const [payload, setPayload] = useState(original.payload);
  const [headers, setHeaders] = useState(original.headers);
  const [step, setStep] = useState<"edit" | "review">("edit");
  useUnsaved(payload !== original.payload || headers !== original.headers);
  const correction = useCorrection(outbox, opened.message.id);
  const problem = problemOf(original, { payload, headers });

  function send(reason: string) {
    rememberReason(reason);
    const changed = headers !== null && headers !== original.headers ? { headers } : {};
    const request = {
      version: opened.message.version,
      payload: sentText(opened, original, payload),
      reason,
      ...changed,
    };
    correction.mutate(request, { onSuccess: onSent });
  }

  if (correction.data !== undefined) return <Sent correction={correction.data} />;
  if (step === "review")
    return (
      <Panel title="The difference">
        <DiffView label="Payload" before={original.payload} after={payload} />
        {headers !== null && <DiffView label="Headers" before={original.headers ?? ""} after={headers} />}
        <Send
          pending={correction.isPending}
          error={correction.error}
          refusal={refusal}
          onBack={() => setStep("edit")}
          onSend={send}
        />
      </Panel>
    );
  return (
    <Panel title="The copy">
      <div className={css.fields}>
        <Text label="Payload" value={payload} onChange={setPayload} disabled={fixed} />
        {headers !== null && <Text label="Headers" value={headers} onChange={setHeaders} disabled={fixed} />}
        <p className="muted">Sent character by character: numbers stay as typed.</p>
        <div className={css.buttons}>
          <span className={css.problem} role="status">
            {problem}
          </span>
          <Button
            disabled={payload === original.payload && headers === original.headers}
            onClick={() => {
              setPayload(original.payload);
              setHeaders(original.headers);
            }}
          >
            Undo all
          </Button>
          <Button
            variant="filled"
            disabled={problem !== undefined || refusal !== undefined}
            onClick={() => setStep("review")}
          >
            See the difference…
          </Button>
        </div>
      </div>
    </Panel>
  );
}

interface Texts {
  payload: string;
  headers: string | null;
}

/** As they are edited: JSON with a line for each member. Headers that are no whole text cannot be edited. */
function textsOf({ payload, headers }: MessageDetail): Texts {
  const isText = headers !== null && headers.format !== "base64" && !headers.truncated;
  return { payload: layOutJson(payload?.text ?? ""), headers: isText ? layOutJson(headers.text) : null };
}

/** A payload that was not touched keeps its stored spelling. */
function sentText({ payload }: MessageDetail, original: Texts, edited: string): string {
  return edited === original.payload ? (payload?.text ?? edited) : edited;
}

/** Why what was typed cannot be sent, or nothing is to be sent yet. */
function problemOf(before: Texts, after: Texts): string | undefined {
  if (before.payload === after.payload && before.headers === after.headers) return "Nothing was changed yet.";
  const parts = [
    ["payload", before.payload, after.payload],
    ["headers", before.headers ?? "", after.headers ?? ""],
  ] as const;
  for (const [name, old, now] of parts) {
    if (old === now) continue;
    if (isJson(old) && !isJson(now)) return `The ${name} was JSON, and is not valid JSON now.`;
    if (new Blob([now]).size > MOST_EDITED_BYTES) return `The ${name} is longer than ${MOST_EDITED_BYTES / 1024} KB.`;
  }
  return undefined;
}

interface TextProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  disabled: boolean;
}

function Text({ label, value, onChange, disabled }: TextProps) {
  return (
    <Textarea
      label={label}
      autosize
      minRows={3}
      maxRows={28}
      spellCheck={false}
      disabled={disabled}
      classNames={{ input: css.text ?? "" }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface SendProps {
  pending: boolean;
  error: Error | null;
  refusal: string | undefined;
  onBack: () => void;
  onSend: (reason: string) => void;
}

function Send({ pending, error, refusal, onBack, onSend }: SendProps) {
  const [reason, setReason] = useState("");
  const ready = isReason(reason) && !pending && refusal === undefined;
  function submit(event: { preventDefault: () => void }) {
    event.preventDefault();
    if (ready) onSend(reason.trim());
  }
  return (
    <form className={css.fields} onSubmit={submit} onKeyDown={submitOnKeys(submit)}>
      <ReasonField value={reason} onChange={setReason} />
      {error !== null && (
        <ErrorNote title={mayBeDone(error) ? "The copy is not confirmed." : "No copy was sent."} error={error}>
          {mayBeDone(error) && " It may have been sent: press “Send the copy” again, which sends it at most once."}
        </ErrorNote>
      )}
      <div className={css.buttons}>
        <Button onClick={onBack}>Back to editing</Button>
        <Button type="submit" variant="filled" disabled={!ready} loading={pending}>
          Send the copy
        </Button>
      </div>
    </form>
  );
}

function Sent({ correction }: { correction: Correction }) {
  const { href } = useOutbox();
  const { copyId, operation } = correction;
  const [path, words] =
    copyId === null
      ? [`/operations/${encodeURIComponent(operation.id)}`, "Open the operation"]
      : [`/messages/${encodeURIComponent(copyId)}`, "Open the copy"];
  return (
    <Panel title={copyId === null ? "Being looked up" : "The copy is sent"}>
      <div className={css.fields}>
        <p role="status">{operation.outcomes[0]?.message}</p>
        <div className={css.buttons}>
          <Button component={Link} href={href(path)} variant="filled">
            {words}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
