"use client";

import { IconCheck, IconCopy } from "@tabler/icons-react";
import { type MouseEvent, useEffect, useState } from "react";
import { copyText } from "../format/copy-text.ts";
import css from "./copy-button.module.css";

const SHOWN_MS = 1_500;

/** A small icon that copies and confirms in place, without moving anything. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [result, setResult] = useState<"idle" | "copied" | "refused">("idle");

  useEffect(() => {
    if (result === "idle") return;
    const timer = setTimeout(() => setResult("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);

  async function copy(event: MouseEvent) {
    event.preventDefault();
    event.stopPropagation();
    setResult((await copyText(text)) ? "copied" : "refused");
  }

  return (
    <>
      <button type="button" className={css.button} data-result={result} onClick={copy} aria-label={label} title={label}>
        {result === "copied" ? <IconCheck size={13} aria-hidden /> : <IconCopy size={13} aria-hidden />}
      </button>
      {/* Beside the button: what is in a button is its name, and no live region. */}
      <span className="visually-hidden" role="status">
        {result === "copied" ? "Copied" : result === "refused" ? "The browser refused to copy" : ""}
      </span>
    </>
  );
}
