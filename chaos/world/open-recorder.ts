import type { SinkKind } from "../options.ts";
import { startHttpRecorder } from "./http-recorder.ts";
import type { Recorder, RecorderInput } from "./recorder.ts";

const OPEN: Partial<Record<SinkKind, (input: RecorderInput) => Promise<Recorder>>> = {
  http: startHttpRecorder,
};

export async function openRecorder(kind: SinkKind, input: RecorderInput): Promise<Recorder> {
  const open = OPEN[kind];
  if (!open) throw new Error(`There is no recorder for ${kind} yet.`);
  return open(input);
}
