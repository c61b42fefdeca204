"use client";

import { useElementSize } from "@mantine/hooks";
import { useMemo, useState } from "react";
import { formatBytes } from "#domain/format.ts";
import css from "./payload.module.css";
import { hexRows } from "./stored-bytes.ts";

const CHUNK_BYTES = 4_096;
/** A row of 16 bytes needs this many pixels; narrower places get rows of 8. */
const WIDE_PX = 560;

/** The stored bytes as offset, hex and ASCII; long values a chunk at a time. */
export function HexView({ bytes, label }: { bytes: Uint8Array; label: string }) {
  const { ref, width: px } = useElementSize<HTMLElement>();
  const width = px === 0 || px >= WIDE_PX ? 16 : 8;
  const [most, setMost] = useState(CHUNK_BYTES);
  const rows = useMemo(() => hexRows(bytes, { most, width }), [bytes, most, width]);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard */}
      <section ref={ref} className={css.hex} data-testid="payload-hex" aria-label={label} tabIndex={0}>
        {rows.map((row) => (
          <div key={row.offset} className={css.hexRow}>
            <span className="muted">{row.offset}</span>
            <span style={{ width: `${width * 3 - 1}ch` }}>{row.hex}</span>
            <span className={css.hexText}>{row.text}</span>
          </div>
        ))}
        {bytes.length === 0 && <span className="muted">no bytes</span>}
      </section>
      {bytes.length > most && (
        <button type="button" className={css.more} onClick={() => setMost(most + 4 * CHUNK_BYTES)}>
          Show more: {formatBytes(most)} of {formatBytes(bytes.length)} are shown
        </button>
      )}
    </>
  );
}
