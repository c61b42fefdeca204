#!/usr/bin/env node
import "./lib/require-node-20.mjs";

import("./lib/stop-with-sentence.mjs").then(({ runMain }) =>
  runMain(async () => (await import("./lib/cli.mjs")).runCli(process.argv.slice(2))),
);
