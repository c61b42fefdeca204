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
  return [
    repeatsOf(sightings),
    orderOf(message.aggregateId, laterPublished),
    {
      title: message.state === "dead" ? "The original stays dead" : "The original is dead from then on",
      text: `It is kept as it is${message.state === "dead" ? "" : ", and not tried again"}; the audit links both.`,
      warns: false,
    },
  ];
}

/** Only an inbox that answers and tracks processing can say that the original was not processed. */
function repeatsOf(sightings: MessageDetail["sightings"]): Effect {
  const title = "A new message for every consumer";
  const own = "The copy has an id of its own";
  const named = (states: readonly string[]) =>
    sightings.filter(({ state }) => states.includes(state)).map(({ inbox, consumer }) => consumer ?? inbox);
  const seen = named(["processed"]);
  const unknown = named(["unknown", "untracked"]);
  const notKnown = `Whether ${unknown.join(", ")} processed the original is not known.`;
  if (seen.length > 0) {
    const text = `${own}, so consumers that have processed the original will process the copy too (${seen.join(", ")}).`;
    return { title, text: unknown.length === 0 ? text : `${text} ${notKnown}`, warns: true };
  }
  if (sightings.length === 0) {
    const text = `${own}. No inbox is configured: whether consumers have processed the original is not known.`;
    return { title, text, warns: true };
  }
  if (unknown.length > 0) return { title, text: `${own}. ${notKnown}`, warns: true };
  return { title, text: `${own}. No inbox has processed the original.`, warns: false };
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
