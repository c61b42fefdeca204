"use client";

import { IconDownload } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { rawPath } from "#components/api/message-queries.ts";
import { CopyButton } from "#components/ui/controls/copy-button.tsx";
import { Segmented } from "#components/ui/controls/segmented.tsx";
import { withBasePath } from "#contracts/base-path.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";
import type { DecodedPayload } from "#contracts/message/payloads.ts";
import { formatBytes, formatPlural } from "#domain/format.ts";
import { DecodedHead } from "./decoded-head.tsx";
import { HexView } from "./hex-view.tsx";
import css from "./payload.module.css";
import { contentOf, type PayloadContent } from "./payload-content.ts";
import { PayloadTreeView } from "./payload-tree-view.tsx";
import { storedBytes } from "./stored-bytes.ts";

type Payload = NonNullable<MessageDetail["payload"]>;
type View = "content" | "raw" | "hex";

/** Longer text is laid out only on request: a browser needs seconds to wrap one line of a megabyte. */
const LAID_OUT = 100_000;

const TITLES = { payload: "Payload", headers: "Headers" } as const;
const NONE = { payload: "There is no payload.", headers: "There are no headers." } as const;

const EMPTY = { payload: "The payload is empty: 0 B.", headers: "The headers are empty: 0 B." } as const;

interface PayloadViewProps {
  part: "payload" | "headers";
  payload: Payload | null;
  /** Undefined until the server has answered. */
  decoded: DecodedPayload | null | undefined;
  /** Whose payload it is, and why it could not be decoded, if so. */
  source: { outbox: string; id: string; error: Error | null };
  /**
   * `masked`: not as it is stored. `hidden`: at most what is decoded is shown. `revealed`: whole, for this page only.
   */
  shown?: "whole" | "masked" | "hidden" | "revealed";
  /** Notices that stand above already. */
  told?: readonly string[];
}

/**
 * Shows the decoded content, the stored text or the bytes. Copying and downloading give what is stored, or what may be
 * seen of it.
 */
export function PayloadView({ payload, ...others }: PayloadViewProps) {
  const { part } = others;
  return (
    <section aria-label={TITLES[part]}>
      {payload === null || payload.totalBytes === 0 ? (
        <>
          <div className={css.head}>
            <h2>{TITLES[part]}</h2>
          </div>
          <p className="muted">{payload === null ? NONE[part] : EMPTY[part]}</p>
        </>
      ) : (
        <Stored payload={payload} {...others} />
      )}
    </section>
  );
}

function Stored(props: PayloadViewProps & { payload: Payload }) {
  const { part, payload, decoded, source, shown = "whole", told = [] } = props;
  const { content, notice } = useMemo(() => contentOf(payload, decoded), [payload, decoded]);
  const [wanted, setWanted] = useState<View | null>(null);
  const bytes = useMemo(() => storedBytes(payload), [payload]);
  const views = viewsOf(payload, content, shown);
  const view = views.find(({ value }) => value === wanted)?.value ?? views[0]?.value ?? "raw";
  const name = TITLES[part].toLowerCase();
  return (
    <>
      <div className={css.head}>
        <h2>{TITLES[part]}</h2>
        <span className={css.tools}>
          <span className={css.size}>{formatBytes(payload.totalBytes)}</span>
          {views.length > 1 && (
            <Segmented label={`Show ${name} as`} options={views} value={view} onChange={setWanted} />
          )}
          {shown !== "hidden" && <CopyButton text={payload.text} label={`Copy ${name} ${asShown(shown)}`} />}
          {(shown === "whole" || shown === "masked") && (
            <a
              className={css.download}
              href={withBasePath(rawPath(source.outbox, source.id, part))}
              download
              title={`Download ${name} ${asShown(shown)}, ${formatBytes(payload.totalBytes)}`}
              aria-label={`Download ${name} ${asShown(shown)}, ${formatBytes(payload.totalBytes)}`}
            >
              <IconDownload size={13} aria-hidden />
            </a>
          )}
        </span>
      </div>
      {decoded && <DecodedHead decoded={decoded} told={told} />}
      {decoded === undefined && source.error === null && <p className={css.chain}>&nbsp;</p>}
      {!decoded && source.error !== null && (
        <p className={css.notice}>
          The {name} could not be decoded, so the stored form is shown. {source.error.message}
        </p>
      )}
      {notice !== undefined && <p className={css.notice}>{notice}</p>}
      {payload.truncated && view !== "content" && <p className={css.notice}>{cutWords(payload)}</p>}
      {view === "content" && content !== undefined && <Content content={content} />}
      {view === "raw" && shown !== "hidden" && <Text text={payload.text} testId="payload-raw" />}
      {view === "hex" && <HexView bytes={bytes} label="Stored bytes as hex" />}
    </>
  );
}

const asShown = (shown: PayloadViewProps["shown"]) => (shown === "masked" ? "with its masks" : "as stored");

interface ViewChoice {
  value: View;
  label: string;
}

/** Bytes that nothing is known of are shown as hex first, which is closer to them than base64. */
function viewsOf(
  { format }: Payload,
  content: PayloadContent | undefined,
  shown: PayloadViewProps["shown"],
): ViewChoice[] {
  const stored = storedViews(format, content);
  if (shown === "hidden") return stored.filter(({ value }) => value === "content");
  return shown === "masked" ? stored.filter(({ value }) => value !== "hex") : stored;
}

function storedViews(format: Payload["format"], content: PayloadContent | undefined): ViewChoice[] {
  const hex = { value: "hex", label: "hex" } as const;
  const raw = { value: "raw", label: format === "base64" ? "base64" : "raw" } as const;
  if (content === undefined) return format === "base64" ? [hex, raw] : [raw, hex];
  return [{ value: "content", label: content.kind === "bytes" ? "decoded" : content.kind }, raw, hex];
}

function Content({ content }: { content: PayloadContent }) {
  if (content.kind === "bytes") {
    const { bytes, total } = content;
    return (
      <>
        {bytes.length < total && (
          <p className="muted">{`The first ${formatBytes(bytes.length)} of ${formatBytes(total)} of decoded bytes:`}</p>
        )}
        <HexView bytes={bytes} label="Decoded bytes as hex" />
      </>
    );
  }
  if (content.kind === "text") return <Text text={content.text} testId="payload-text" />;
  return <PayloadTreeView value={content.value} />;
}

function Text({ text, testId }: { text: string; testId: string }) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && text.length > LAID_OUT;
  return (
    <>
      <pre className={css.code} data-testid={testId}>
        {cut ? text.slice(0, LAID_OUT) : text}
      </pre>
      {cut && (
        <button type="button" className={css.more} onClick={() => setWhole(true)}>
          Show all {formatPlural(text.length, "character")}
        </button>
      )}
    </>
  );
}

function cutWords(payload: Payload): string {
  return `The first ${formatBytes(payload.shownBytes)} of ${formatBytes(payload.totalBytes)} are shown, and copied. Download gives all.`;
}
