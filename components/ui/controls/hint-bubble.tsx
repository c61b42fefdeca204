"use client";

import { Tooltip } from "@mantine/core";
import css from "./hint.module.css";

/** The hint's text, anchored to an empty box over the explained element. */
export function HintBubble({ text }: { text: string }) {
  return (
    <Tooltip label={text} opened multiline maw={280}>
      <span className={css.cover} aria-hidden />
    </Tooltip>
  );
}
