import type { Recognition } from "#db/shapes/recognition.ts";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { AppError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";

/** Why an outbox is neither published nor acted on until a person decides. */
export interface OutboxStop {
  code: "mapping_unsure" | "mapping_changed" | "lifecycle_missing" | "lifecycle_untold" | "library_publishes";
  /** What is unknown, or what changed. */
  message: string;
  /** What to do, and where. */
  remedy: string;
  /** `fail` if people rely on the mapping; `warn` if the table was only discovered. */
  severity: "warn" | "fail";
}

const ANSWER = `Answer it under Settings → Mapping, or in outbox.yaml; \`${ourCommand("doctor")}\` prints the lines to paste.`;

/** Why a recognised mapping may not be acted on; null if it may. */
export function stopOfRecognition(
  input: Used & { recognition: Pick<Recognition, "question" | "missing"> },
): OutboxStop | null {
  const { name, config, recognition } = input;
  const stop = stopOfLibrary(input) ?? stopOfLacking(input, recognition.missing) ?? stopOfMode(input);
  if (stop) return stop;
  if (config.mode === "observe" || recognition.question === null) return null;
  const message = `The mapping of outbox ${name} is only likely: ${recognition.question}`;
  return { code: "mapping_unsure", message, remedy: ANSWER, severity: "fail" };
}

interface Used {
  name: string;
  config: OutboxConfig;
  mapping: OutboxMapping;
}

/** Why even an accepted mapping does not allow the configured mode; null if it does. */
export function stopOfMode(used: Used): OutboxStop | null {
  return stopOfLibrary(used) ?? stopOfLacking(used, unwritable(used));
}

function stopOfLacking({ name, config }: Used, lacking: string | null): OutboxStop | null {
  if (lacking === null) return null;
  const relied = config.mode !== "observe" || config.lifecycle !== undefined;
  const message = `The mapping of outbox ${name} is incomplete: ${lacking}`;
  return { code: "lifecycle_missing", message, remedy: ANSWER, severity: relied ? "fail" : "warn" };
}

/** A library publishes its own table, and a second relay would send every message twice. */
function stopOfLibrary({ name, config, mapping }: Used): OutboxStop | null {
  const { lifecycle } = mapping;
  if (lifecycle.kind !== "rules" && lifecycle.kind !== "untold") return null;
  if (config.mode === "relay" && lifecycle.kind === "rules" && lifecycle.reading !== undefined)
    return {
      code: "library_publishes",
      message: `The rows of outbox ${name} have more than one mark: ${lifecycle.reading} Our relay reads and writes only the published mark.`,
      remedy:
        "Set mode: operate. If the other marks say nothing, name the published one under columns.publishedAt and its kind under lifecycle.kind in outbox.yaml.",
      severity: "fail",
    };
  if (config.mode === "relay")
    return {
      code: "library_publishes",
      message: `Outbox ${name} is the table of ${lifecycle.owner}, which publishes it itself: a relay here would send its messages a second time.`,
      remedy: `Set mode: operate. If ${lifecycle.owner} does not publish this table, name its lifecycle in outbox.yaml.`,
      severity: "fail",
    };
  if (lifecycle.kind === "rules") return null;
  return {
    code: "lifecycle_untold",
    message: `The rows of outbox ${name} do not say whether they were sent: ${lifecycle.owner} keeps that in ${lifecycle.where}.`,
    remedy: "Look there for what is published. Its rows are shown here as unknown, and no action is taken.",
    severity: "warn",
  };
}

export function stopOfChanges(name: string, changes: readonly string[]): OutboxStop {
  return {
    code: "mapping_changed",
    message: `Outbox ${name} no longer fits the mapping that was accepted: ${changes.join("; ")}.`,
    remedy: `Check what the table means now, then run \`${ourCommand("migrate", `--accept-mapping ${name}`)}\`. Until then nothing is published and no action is taken.`,
    severity: "fail",
  };
}

/** Message and remedy as text, for logs and errors. */
export function sentencesOf({ message, remedy }: OutboxStop): string {
  return `${message} ${remedy}`;
}

/** False if no known rule gives the state of the rows: nothing can then be said about them. */
export function isReadable(stop: OutboxStop | null): boolean {
  return stop === null || !["mapping_changed", "lifecycle_missing"].includes(stop.code);
}

/** Throws unavailable if the table is not readable: its figures would be invented. */
export function requireReadable(stop: OutboxStop | null): void {
  if (stop && !isReadable(stop))
    throw new AppError("unavailable", sentencesOf(stop), { details: { ...partsOf(stop) } });
}

/** What is wrong, which the verdict and health say alike, and what to do about it. */
export interface ProblemParts {
  problem: string;
  /** Absent where nothing is known to help. */
  remedy?: string;
}

export function partsOf({ message, remedy }: OutboxStop): ProblemParts {
  return { problem: message, remedy };
}

/** The same of an error that `requireReadable` or another part of the console threw. */
export function partsOfError({ message, details }: Pick<AppError, "message" | "details">): ProblemParts {
  const { problem, remedy } = details ?? {};
  return typeof problem === "string" && typeof remedy === "string" ? { problem, remedy } : { problem: message };
}

/** Clause: why a relay could not mark messages as published; null if it could. */
function unwritable({ config, mapping }: Used): string | null {
  const { lifecycle } = mapping;
  if (config.mode !== "relay" || lifecycle.kind !== "timestamp" || lifecycle.column.time) return null;
  return `${lifecycle.column.name} is ${lifecycle.column.type}, and the relay cannot write a time into it.`;
}
