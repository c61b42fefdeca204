// Imported first. Uses only syntax that very old versions can parse, so that they print a sentence, not a parse error.
if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(
    "Outbox Console needs Node 20 or later to start, and this is Node " +
      process.versions.node +
      ". Install a current one from https://nodejs.org and run the command again.",
  );
  process.exit(1);
}
