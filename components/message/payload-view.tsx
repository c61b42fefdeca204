"use client";

import { useMemo, useState } from "react";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { formatBytes } from "#components/ui/format-figure.ts";
import { Segmented } from "#components/ui/segmented.tsx";
import type { MessageDetail } from "#contracts/messages.ts";
import css from "./payload.module.css";
import { readPayload } from "./payload-tree.ts";
import { PayloadTreeView } from "./payload-tree-view.tsx";

type Payload = NonNullable<MessageDetail["payload"]>;

/** Longer text is laid out only on request: a browser needs seconds to wrap one line of a megabyte. */
const LAID_OUT = 100_000;

const VIEWS = [
  { value: "tree", label: "tree" },
  { value: "raw", label: "raw" },
] as const;

interface PayloadViewProps {
  title: string;
  payload: Payload | null;
  /** Text for a missing payload. */
  none: string;
}

/** Shows the tree or the stored text. Copying always copies the stored text. */
export function PayloadView({ title, payload, none }: PayloadViewProps) {
  const parsed = useMemo(() => (payload?.format === "json" ? readPayload(payload.text) : undefined), [payload]);
  const [wanted, setWanted] = useState<(typeof VIEWS)[number]["value"]>("tree");
  const view = parsed === undefined ? "raw" : wanted;
  return (
    <section aria-label={title}>
      <div className={css.head}>
        <h2>{title}</h2>
        {payload !== null && (
          <span className={css.tools}>
            <span className="muted">{sizeWords(payload)}</span>
            {parsed !== undefined && (
              <Segmented label={`Show ${title.toLowerCase()} as`} options={VIEWS} value={wanted} onChange={setWanted} />
            )}
            <CopyButton text={payload.text} label={`Copy ${title.toLowerCase()} as stored`} />
          </span>
        )}
      </div>
      {payload === null && <p className="muted">{none}</p>}
      {payload?.truncated && <p className={css.notice}>{cutWords(payload)}</p>}
      {payload !== null && view === "tree" && parsed !== undefined && <PayloadTreeView value={parsed.value} />}
      {payload !== null && view === "raw" && <Raw text={payload.text} />}
    </section>
  );
}

function Raw({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && text.length > LAID_OUT;
  return (
    <>
      <pre className={css.code} data-testid="payload-raw">
        {cut ? text.slice(0, LAID_OUT) : text}
      </pre>
      {cut && (
        <button type="button" className={css.more} onClick={() => setWhole(true)}>
          Show all {formatBytes(text.length)}
        </button>
      )}
    </>
  );
}

function sizeWords(payload: Payload): string {
  const format =
    payload.format === "base64" ? " · binary, shown as base64" : payload.format === "text" ? " · text" : "";
  return formatBytes(payload.totalBytes) + format;
}

function cutWords(payload: Payload): string {
  return `The first ${formatBytes(payload.shownBytes)} of ${formatBytes(payload.totalBytes)} are shown. Copying gives only this part.`;
}
