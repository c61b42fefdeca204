import { lateSentence } from "../late-figures.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import type { Examination } from "./examination.ts";
import { lastExamination } from "./last-examinations.ts";
import { examineHandle } from "./take-snapshot.ts";

export interface InTime {
  examination: Examination;
  /** Why it is an older one, and its age; null if it is not. */
  late: string | null;
}

/**
 * For answers over many outboxes: the shared examination, or the last one if the database answers but the next does not
 * end within `patienceMs`. With many outboxes, or a busy database, those read last would otherwise seem to have failed.
 * Throws as examineHandle, also if the last one is older than a minute.
 */
export async function examineInTime(input: {
  runtime: Runtime;
  handle: OutboxHandle;
  patienceMs: number;
}): Promise<InTime> {
  try {
    return { examination: await examineHandle(input), late: null };
  } catch (error) {
    const last = lastExamination(input.runtime, input.handle.name);
    const late = lateSentence(error, last?.readAtMs);
    if (!last || late === null) throw error;
    return { examination: last.examination, late };
  }
}
