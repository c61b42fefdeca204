import type { LibraryTable } from "../library.ts";
import { gruelbox } from "./gruelbox.ts";
import { oncebox, onceboxDeadLetters } from "./oncebox.ts";
import { springModulith1, springModulith2 } from "./spring-modulith.ts";

/** Libraries of Java and Kotlin. */
export const jvmTables: readonly LibraryTable[] = [
  gruelbox,
  oncebox,
  onceboxDeadLetters,
  springModulith1,
  springModulith2,
];
