"use client";

import { type ReactNode, useState } from "react";
import { formatPlural } from "#domain/format.ts";
import { cutText } from "#domain/text/cut-text.ts";
import css from "./payload.module.css";
import { childrenOf, countValues, describeValue, type PayloadValue } from "./payload-tree.ts";

const CHUNK = 100;
const LONG_STRING = 400;
/** A payload of up to this many values starts fully expanded; a larger one shows its first level. */
const OPEN_UP_TO = 200;

export function PayloadTreeView({ value }: { value: PayloadValue }) {
  const [openDepth] = useState(() => (countValues(value, OPEN_UP_TO + 1) <= OPEN_UP_TO ? Number.POSITIVE_INFINITY : 1));
  return (
    <div className={css.code} data-testid="payload-tree">
      <Branch value={value} depth={0} openDepth={openDepth} last />
    </div>
  );
}

interface BranchProps {
  name?: string | undefined;
  value: PayloadValue;
  depth: number;
  openDepth: number;
  /** The last entry has no comma. */
  last: boolean;
}

function Branch(props: BranchProps) {
  const described = describeValue(props.value);
  if ("size" in described) {
    return <Container {...props} described={described} marks={described.kind === "object" ? "{}" : "[]"} />;
  }
  return (
    <div className={css.line}>
      <Name name={props.name} />
      {described.kind === "string" ? (
        <Text text={described.text} />
      ) : (
        <span className={css.number}>{described.text}</span>
      )}
      {described.type !== undefined && <span className="muted">{` (${described.type})`}</span>}
      {props.last ? "" : ","}
    </div>
  );
}

function Container({
  name,
  value,
  depth,
  openDepth,
  last,
  described: { size, more = 0, type },
  marks,
}: BranchProps & { described: { size: number; more?: number; type?: string | undefined }; marks: string }) {
  const [open, setOpen] = useState(depth < openDepth);
  const [shown, setShown] = useState(CHUNK);
  const comma = last ? "" : ",";
  const label = type === undefined ? null : <span className="muted">{`${type} `}</span>;
  if (size === 0) {
    return (
      <Line name={name}>
        {label}
        {more > 0 ? `${marks[0]} ${formatPlural(more, "entry", "entries")}, not listed ${marks[1]}` : marks}
        {comma}
      </Line>
    );
  }
  const toggle = (
    <button type="button" className={css.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
      {open ? "▾" : "▸"}
      <span className="visually-hidden">{name ?? "value"}</span>
    </button>
  );
  if (!open) {
    const words = formatPlural(size + more, marks === "{}" ? "key" : "item");
    return (
      <Line name={name} before={toggle}>
        {label}
        {marks[0]} <span className="muted">{words}</span> {marks[1] + comma}
      </Line>
    );
  }
  return (
    <div>
      <Line name={name} before={toggle}>
        {label}
        {marks[0]}
      </Line>
      <div className={css.children}>
        {childrenOf(value, shown).map((child, index) => (
          <Branch
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed order, and a key may be there twice
            key={`${index} ${child.key ?? ""}`}
            name={child.key}
            value={child.value}
            depth={depth + 1}
            openDepth={openDepth}
            last={index === size - 1}
          />
        ))}
        {size > shown && (
          <button type="button" className={css.more} onClick={() => setShown(shown + CHUNK)}>
            {formatPlural(size - shown, "more", "more")}
          </button>
        )}
        {more > 0 && size <= shown && (
          <p className="muted">{formatPlural(more, "further entry is", "further entries are")} not listed.</p>
        )}
      </div>
      <div className={css.line}>{marks[1] + comma}</div>
    </div>
  );
}

function Line({ name, before, children }: { name: string | undefined; before?: ReactNode; children: ReactNode }) {
  return (
    <div className={css.line}>
      {before}
      <Name name={name} />
      {children}
    </div>
  );
}

function Name({ name }: { name: string | undefined }) {
  return name === undefined ? null : <span className={css.name}>{`${JSON.stringify(name)}: `}</span>;
}

/** Strings as in JSON; a long one is truncated until expanded. */
function Text({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  if (whole || text.length <= LONG_STRING) return <span className={css.string}>{JSON.stringify(text)}</span>;
  return (
    <span className={css.string}>
      {JSON.stringify(cutText(text, LONG_STRING)).slice(0, -1)}…{" "}
      <button type="button" className={css.more} onClick={() => setWhole(true)}>
        all {formatPlural(text.length, "character")}
      </button>
    </span>
  );
}
