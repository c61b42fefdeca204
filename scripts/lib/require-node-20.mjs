// Imported first and kept to syntax that very old versions read, so that they get a sentence and not a parse error.
if (Number(process.versions.node.split(".")[0]) < 20) {
  console.error(
    "Outbox Console needs Node 20 or later to start, and this is Node " +
      process.versions.node +
      ". Install a current one from https://nodejs.org and run the command again.",
  );
  process.exit(1);
}
