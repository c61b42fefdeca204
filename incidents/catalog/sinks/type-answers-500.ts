import { oneTypeFails } from "./one-type-fails.ts";

/** The receiver of one type is faulty. */
export const typeAnswers500 = oneTypeFails({ name: "type-answers-500", status: 500, body: "no rate for EUR" });
