import { oneTypeFails } from "./one-type-fails.ts";

/** The receiver of one type does not exist. */
export const typeAnswers404 = oneTypeFails({ name: "type-answers-404", status: 404, body: "no such route" });
