import type { Verdict } from "#contracts/watch/diagnosis.ts";
import type { Stage } from "../incident.ts";
import type { Scene } from "../scene.ts";
import { contains } from "./instants.ts";
import { type Reading, type Saying, sayingsOf } from "./reading.ts";

/**
 * How a reading differs from the stage's expectation and its surfaces from each other. Empty when all agree with it.
 */
export function mismatches(reading: Reading, stage: Stage, scene: Scene): string[] {
  return [...unexpected(reading, stage, scene), ...disagreements(reading)];
}

/** How a reading differs from the stage's expectation, for every surface. */
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
 * How a reading's surfaces contradict its first surface. They are read at slightly different instants, between which
 * the state may change: with the readings `around` it, a surface is right if it agrees with the first surface of any of
 * them.
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

/** By surface; surfaces that agree with the reference are left out. */
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
  for (const part of stage.mentions ?? [])
    if (!part.test(`${cause}; ${more}`)) wrong.push(`"${cause}", "${more}" does not match ${part}`);
  return wrong;
}

/** Compares word, status and cause. Counts and ages may differ between instants, so figures are ignored. */
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

/** The sentence without counts, ages and times. */
export function withoutFigures(sentence: string): string {
  return sentence.replace(/\d[\d,.:]*( ?(ms|s|m|h|d|seconds|minutes|hours|kB|MB|GB)\b)?/g, "#").replace(/(# )+#/g, "#");
}
