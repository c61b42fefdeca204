import type { Verdict } from "#contracts/diagnosis.ts";
import type { Stage } from "../incident.ts";
import type { Scene } from "../scene.ts";
import { contains } from "./instants.ts";
import { type Reading, type Saying, sayingsOf } from "./reading.ts";

/** In what a reading is not yet what the stage expects, and in what its surfaces differ. Empty when all are right and agree. */
export function mismatches(reading: Reading, stage: Stage, scene: Scene): string[] {
  return [...unexpected(reading, stage, scene), ...disagreements(reading)];
}

/** In what a reading is not what the stage expects; every surface is asked. */
export function unexpected(reading: Reading, stage: Stage, scene: Scene): string[] {
  const sayings = sayingsOf(reading);
  if (sayings.length === 0) return [`no surface has a verdict: ${reading.snapshot.error}`];
  return [
    ...missingSurfaces(reading, stage),
    ...sayings.flatMap(({ surface, verdict }) => ofVerdict(verdict, stage).map((text) => `${surface}: ${text}`)),
    ...(stage.also?.(reading, scene) ?? []),
  ];
}

/**
 * How the surfaces of a reading contradict its first one. They are not read at one instant, and the truth may move in
 * between: with the readings `around` it, a surface is right when it agrees with the first surface of any of them.
 */
export function disagreements(reading: Reading, around: readonly Reading[] = []): string[] {
  const [own] = sayingsOf(reading);
  if (own === undefined) return [];
  const references = [own, ...around.flatMap((other) => sayingsOf(other).slice(0, 1))];
  const ofEach = references.map((reference) => contradictionsOf(reading, reference));
  const surfaces = [...(ofEach[0]?.keys() ?? [])];
  return surfaces
    .filter((surface) => ofEach.every((wrong) => wrong.has(surface)))
    .flatMap((surface) => ofEach[0]?.get(surface) ?? []);
}

/** By surface; one that agrees with the reference is not there. */
function contradictionsOf(reading: Reading, reference: Saying): Map<string, string[]> {
  const wrong = sayingsOf(reading).map(({ surface, verdict }) => ({
    surface,
    texts: unlike(surface, verdict, reference.surface, reference.verdict),
  }));
  const all = [...wrong, { surface: "health", texts: ofHealth(reading, reference.verdict) }];
  return new Map(all.flatMap(({ surface, texts }) => (texts.length > 0 ? [[surface, texts]] : [])));
}

function missingSurfaces({ snapshot, findings, list, health, outbox }: Reading, { unreadable }: Stage): string[] {
  const wrong: string[] = [];
  if (snapshot.body === null && !unreadable)
    wrong.push(`the snapshot was answered ${snapshot.code}: ${snapshot.error}`);
  if (findings.body === null && !unreadable)
    wrong.push(`the findings were answered ${findings.code}: ${findings.error}`);
  if (!list.body?.outboxes.some(({ name }) => name === outbox)) wrong.push(`the list does not have it: ${list.error}`);
  if (health.body === null) wrong.push(`health was answered ${health.code}: ${health.error}`);
  return wrong;
}

function ofVerdict(verdict: Verdict, stage: Stage): string[] {
  const { word, status, title, cause, more, causes } = verdict;
  const wrong: string[] = [];
  const oneOf = <T>(wanted: T | readonly T[] | undefined, got: T, what: string) => {
    if (wanted === undefined) return;
    const all = Array.isArray(wanted) ? (wanted as readonly T[]) : [wanted as T];
    if (!all.includes(got)) wrong.push(`${what} is ${got} and not ${all.join(" or ")}`);
  };
  oneOf(stage.word, word, "the word");
  oneOf(stage.status, status, "the status");
  oneOf(stage.rule, causes[0]?.rule ?? null, "the rule");
  if (stage.title && !stage.title.test(`${title}: ${cause ?? ""}`))
    wrong.push(`"${title}: ${cause}" does not match ${stage.title}`);
  for (const part of stage.cause ?? [])
    if (!part.test(cause ?? "")) wrong.push(`the cause "${cause}" does not match ${part}`);
  for (const part of stage.more ?? [])
    if (!part.test(more ?? "")) wrong.push(`what ranks lower, "${more}", does not match ${part}`);
  for (const part of stage.told ?? [])
    if (!part.test(`${cause}; ${more}`)) wrong.push(`"${cause}", "${more}" does not match ${part}`);
  return wrong;
}

/** Read at other instants, counts and ages may differ; what is wrong may not. */
function unlike(surface: string, verdict: Verdict, other: string, than: Verdict): string[] {
  const text = (one: Verdict) => `${one.word}, ${one.status}: ${withoutFigures(one.cause ?? "")}`;
  return text(verdict) === text(than) ? [] : [`${surface} says "${text(verdict)}", and ${other} "${text(than)}"`];
}

function ofHealth({ health }: Reading, { status, cause }: Verdict): string[] {
  if (health.body === null) return [];
  const wrong: string[] = [];
  if (health.body.status !== status)
    wrong.push(`health is ${health.body.status} and the verdict ${status} (${health.body.output})`);
  if (cause !== null && !contains(withoutFigures(health.body.output ?? ""), withoutFigures(cause)))
    wrong.push(`health says "${health.body.output}", and the verdict "${cause}"`);
  return wrong;
}

/** The sentence with its counts, ages and times left out. */
export function withoutFigures(sentence: string): string {
  return sentence.replace(/\d[\d,.:]*( ?(ms|s|m|h|d|seconds|minutes|hours|kB|MB|GB)\b)?/g, "#").replace(/(# )+#/g, "#");
}
