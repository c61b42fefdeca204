/** Runs a Lua script with one key. Scripts make each step one command, so that no other delivery comes in between. */
export type RunScript = (script: string, key: string, values: readonly string[]) => Promise<unknown>;

/** As far as it is used: ioredis, iovalkey, also as a cluster. */
export interface IoredisLike {
  eval(script: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>;
}

/** As far as it is used: node-redis (`redis`, `@redis/client`) from version 4. */
export interface NodeRedisLike {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

export const ioredis =
  (client: IoredisLike): RunScript =>
  (script, key, values) =>
    client.eval(script, 1, key, ...values);

export const nodeRedis =
  (client: NodeRedisLike): RunScript =>
  (script, key, values) =>
    client.eval(script, { keys: [key], arguments: [...values] });

const DONE = "done";

// A client may repeat a script whose answer was lost with its connection: each gives the same answer to the same token.

/** Values: own token, ms. Gives `ours`, `duplicate` or `in_progress`. */
export const BEGIN = `local held = redis.call('GET', KEYS[1])
if held == ARGV[1] then return 'ours' end
if held and string.sub(held, 1, ${DONE.length}) == '${DONE}' then return 'duplicate' end
if held then return 'in_progress' end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 'ours'`;

/** Values: own token, ms. Remembers the message as done; gives 1 if it was held by the token until now. */
export const FINISH = `local held = redis.call('GET', KEYS[1])
redis.call('SET', KEYS[1], '${DONE}' .. ARGV[1], 'PX', ARGV[2])
if held == ARGV[1] or held == '${DONE}' .. ARGV[1] then return 1 end
return 0`;

/** Value: own token. Lets the next delivery begin at once. */
export const GIVE_BACK = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;
