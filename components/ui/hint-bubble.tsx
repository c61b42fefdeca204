"use client";

import { Tooltip } from "@mantine/core";
import css from "./hint.module.css";

/** The words themselves, hung on an empty box that covers what they explain. */
export function HintBubble({ text }: { text: string }) {
  return (
    <Tooltip label={text} opened multiline maw={280}>
      <span className={css.cover} aria-hidden />
    </Tooltip>
  );
}
