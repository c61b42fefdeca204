import "./lib/require-node-20.mjs";

import("./lib/stop-with-sentence.mjs").then(({ runMain }) =>
  runMain(async () => (await import("./lib/start.mjs")).start(process.argv.slice(2))),
);
