import { oneTypeFails } from "./one-type-fails.ts";

/** The receiver of one type has a fault of its own. */
export const typeAnswers500 = oneTypeFails({ name: "type-answers-500", status: 500, body: "no rate for EUR" });
