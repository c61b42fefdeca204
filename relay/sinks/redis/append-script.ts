/**
 * Appends entries to streams in order, and stops a lane at its first failure. In a plain pipeline the commands after a
 * failed one would still run, and a later message of the aggregate would arrive before an earlier one.
 *
 * KEYS: the stream of each entry. ARGV, for each entry: its lane, its number of parts, the parts. Returns a pair for
 * each entry that was not appended: its 1-based number, and the error ("" after an earlier failure of its lane).
 */
export function appendScript(trim: readonly string[]): string {
  const limit = trim.map((word) => `'${word}', `).join("");
  return `
local stopped, failures, at = {}, {}, 1
for i = 1, #KEYS do
  local lane, parts = ARGV[at], tonumber(ARGV[at + 1])
  local failure = nil
  if stopped[lane] then
    failure = ''
  else
    local reply = redis.pcall('XADD', KEYS[i], ${limit}'*', unpack(ARGV, at + 2, at + 1 + parts))
    if type(reply) == 'table' and reply.err then failure = reply.err end
  end
  if failure then
    stopped[lane] = true
    failures[#failures + 1] = i
    failures[#failures + 1] = failure
  end
  at = at + 2 + parts
end
return failures`;
}
