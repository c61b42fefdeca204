import { shareOf } from "../../random.ts";
import type { AnswerRules, BadAnswer } from "./recorder.ts";

interface Rule {
  answer: BadAnswer;
  share: number;
  salt: number;
}

/** Current answers of a receiver. The same messages are rejected while a rule lasts. */
export class AnswerBoard implements AnswerRules {
  readonly #rules = new Set<Rule>();
  #begun = 0;

  begin(answer: BadAnswer, share: number): () => void {
    this.#begun += 1;
    const rule = { answer, share, salt: this.#begun };
    this.#rules.add(rule);
    return () => void this.#rules.delete(rule);
  }

  answerTo(id: string): BadAnswer | null {
    for (const { answer, share, salt } of this.#rules) {
      if (share >= 1 || shareOf(`${salt} ${id}`) < share) return answer;
    }
    return null;
  }
}
