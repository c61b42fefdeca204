// Imported before the server that Next builds.
const { HOST = "127.0.0.1", PORT = "3000", BASE_PATH = "" } = process.env;

// The server listens on HOSTNAME, which containers and shells set to the machine's own name.
process.env.HOSTNAME = HOST;
// Longer than the 60 s for which most proxies and clients keep an idle connection. By default Node closes it after 5 s,
// and a request that arrives during the close gets no answer.
process.env.KEEP_ALIVE_TIMEOUT ??= "75000";
// The server would change to its own folder, which breaks relative paths in a configuration.
process.chdir = () => undefined;

// Next's banner calls any configured host a network address.
const log = console.log;
console.log = (...args) => {
  const text = args.map(String).join(" ");
  if (/- Network:\s/.test(text)) return;
  if (/- Local:\s/.test(text)) return log(`   - Outbox Console: ${describeAddress(HOST, PORT)}${BASE_PATH}`);
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
