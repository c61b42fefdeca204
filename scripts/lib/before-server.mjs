// Imported before Next, whose banner calls any configured host a network address.
const { HOST = "127.0.0.1", PORT = "3000" } = process.env;
const log = console.log;

console.log = (...args) => {
  const text = args.map(String).join(" ");
  if (/- Network:\s/.test(text)) return;
  if (/- Local:\s/.test(text)) return log(`   - Outbox Console: ${describeAddress(HOST, PORT)}`);
  if (/Ready in/.test(text)) console.log = log;
  log(...args);
};

/**
 * @param {string} host
 * @param {string} port
 */
function describeAddress(host, port) {
  if (host === "0.0.0.0" || host === "::") return `port ${port} on every address of this machine`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
