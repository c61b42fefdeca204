import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { REPLAY_HEADER } from "#domain/message/republish.ts";
import type { RouteConfig } from "#services/config/route-schema.ts";
import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import { compileRowTemplate, type RowTemplate } from "./name-values.ts";
import type { HeaderSource, Preset } from "./preset.ts";
import { cloudEventsPreset } from "./presets/cloudevents.ts";
import { debeziumPreset } from "./presets/debezium.ts";
import { plainPreset } from "./presets/plain.ts";
import { RoutedRow } from "./routed-row.ts";
import type { Routed, RouteResult, Router } from "./router.ts";

export interface RouterInput {
  config: RouteConfig;
  outbox: string;
  sinkKind: SinkConfig["kind"];
}

/** Kinds with a fixed address: a message without a topic can still be sent. */
export const WITHOUT_TOPICS: ReadonlySet<SinkConfig["kind"]> = new Set(["http", "log"]);

/**
 * Addresses one outbox's messages at one kind of sink. Templates are compiled once, here. Header names depend on the
 * kind; values are as stored, and the sink encodes what its protocol cannot carry.
 */
export function createRouter(input: RouterInput): Router {
  const { config, sinkKind } = input;
  const preset = presetOf(input);
  const topicOf = config.topic === undefined ? preset.topic : compileRowTemplate(config.topic);
  const topicOptional = WITHOUT_TOPICS.has(sinkKind);
  const keyOf: RowTemplate | null = config.key === undefined ? null : compileRowTemplate(config.key);
  const sources = withConfigured(preset.headers, config.headers);
  const taken = new Set(["content-type", ...sources.map(({ name }) => name.toLowerCase())]);
  const needed = createSelection(sources);

  return (message, needless) => {
    const row = new RoutedRow(message);
    const topic = topicOf(row);
    if (typeof topic !== "string" && !topicOptional) return unroutable("topic", topic.missing);
    const key = keyOf ? keyOf(row) : message.aggregateId;
    if (key !== null && typeof key !== "string") return unroutable("key", key.missing);
    const content = preset.content(row, key);
    if ("missing" in content) return unroutable("CloudEvent", content.missing);
    return {
      routed: {
        topic: typeof topic === "string" ? topic : "",
        key,
        headers: marked(message, headersOf(row, key, needed(needless), taken)),
        body: content.body,
        contentType: content.contentType,
      },
    };
  };
}

function presetOf(input: RouterInput): Preset {
  switch (input.config.preset) {
    case "plain":
      return plainPreset(input);
    case "debezium":
      return debeziumPreset(input);
    case "cloudevents":
      return cloudEventsPreset(input);
  }
}

/** Configured headers replace the preset's headers of the same name, but never one that carries the id. */
function withConfigured(preset: readonly HeaderSource[], configured: Record<string, string>): HeaderSource[] {
  const own = Object.entries(configured).map(([name, source]): HeaderSource => {
    const template = compileRowTemplate(source);
    return {
      name,
      value(row) {
        const text = template(row);
        return typeof text === "string" ? text : null;
      },
    };
  });
  const named = (headers: readonly HeaderSource[], { name }: HeaderSource) =>
    headers.some((header) => header.name.toLowerCase() === name.toLowerCase());
  const ids = preset.filter(({ carriesId }) => carriesId);
  return [
    ...preset.filter((header) => header.carriesId || !named(own, header)),
    ...own.filter((header) => !named(ids, header)),
  ];
}

/** Callers pass the same set for every message. */
function createSelection(sources: readonly HeaderSource[]) {
  let known: ReadonlySet<string> | undefined;
  let needed = sources;
  return (needless: ReadonlySet<string> | undefined): readonly HeaderSource[] => {
    if (needless === known) return needed;
    known = needless;
    needed = needless ? sources.filter(({ name }) => !needless.has(name)) : sources;
    return needed;
  };
}

const NO_HEADERS: Routed["headers"] = Object.freeze([]);

function headersOf(
  row: RoutedRow,
  key: string | null,
  sources: readonly HeaderSource[],
  taken: ReadonlySet<string>,
): Routed["headers"] {
  if (sources.length === 0 && row.message.headers === null) return NO_HEADERS;
  const headers: [string, string][] = [];
  for (const source of sources) {
    const value = source.value(row, key);
    if (value !== null) headers.push([source.name, value]);
  }
  if (row.message.headers === null) return headers;
  for (const [name, value] of Object.entries(row.own)) {
    if (!taken.has(name.toLowerCase())) headers.push([name, value]);
  }
  return headers;
}

/** Only the relay marks a message as re-published, so it replaces a row's own header of that name. */
function marked({ replay }: OutgoingMessage, headers: Routed["headers"]): Routed["headers"] {
  if (replay === undefined) return headers;
  const others = headers.filter(([name]) => name.toLowerCase() !== REPLAY_HEADER);
  return [...others, [REPLAY_HEADER, replay]];
}

function unroutable(what: string, missing: string): RouteResult {
  const message = `The ${what} cannot be made: the message has no value for ${missing}.`;
  return { failure: { code: "unroutable", kind: "message", message } };
}
