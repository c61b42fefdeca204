import { Panel } from "#components/ui/page/panel.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import { formatPlural } from "#domain/format.ts";
import css from "./correction.module.css";

/** What sending the copy means, before it is sent. */
export function WhatItDoes({ detail }: { detail: MessageDetail }) {
  return (
    <Panel title="What it will do">
      <ul className={css.effects}>
        {effectsOf(detail).map(({ title, text, warns }) => (
          <li key={title} data-warns={warns || undefined}>
            <b>{title}</b>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface Effect {
  title: string;
  text: string;
  warns: boolean;
}

export function effectsOf({ message, laterPublished, sightings }: MessageDetail): Effect[] {
  const seen = sightings.filter(({ state }) => state === "processed").map(({ inbox, consumer }) => consumer ?? inbox);
  return [
    {
      title: "A new message for every consumer",
      text:
        seen.length === 0
          ? "The copy has an id of its own. No inbox has processed the original."
          : `The copy has an id of its own, so consumers that have processed the original will process the copy too (${seen.join(", ")}).`,
      warns: seen.length > 0,
    },
    orderOf(message.aggregateId, laterPublished),
    {
      title: message.state === "dead" ? "The original stays dead" : "The original is dead from then on",
      text: `It is kept as it is${message.state === "dead" ? "" : ", and not tried again"}; the audit links both.`,
      warns: false,
    },
  ];
}

function orderOf(aggregateId: string | null, later: number | null): Effect {
  if (aggregateId === null)
    return {
      title: "It goes out with the next batch",
      text: "It has no aggregate whose order it could change.",
      warns: false,
    };
  if (later === null)
    return {
      title: "It goes to the end of its aggregate",
      text: "Whether later messages are out already is not known.",
      warns: true,
    };
  if (later === 0)
    return {
      title: "It goes to the end of its aggregate",
      text: "After what waits there; no later message is out yet.",
      warns: false,
    };
  return {
    title: `${formatPlural(later, "later message")} ${later === 1 ? "is" : "are"} out already`,
    text: `The copy goes to the end of ${aggregateId}, after ${later === 1 ? "it" : "them"} and after what waits there.`,
    warns: true,
  };
}
