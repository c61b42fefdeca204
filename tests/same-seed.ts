import { configureGlobal } from "fast-check";
import { EVERYTHING } from "./test-depth.ts";

/**
 * Properties are tried on the same values in every run, so that a run that fails on one commit fails again on it, and
 * passes on the commit before. The runs with everything draw new ones, and name the seed of a failure.
 */
if (!EVERYTHING) configureGlobal({ seed: 20_261_129 });
