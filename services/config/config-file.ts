import { createHash, randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { chmod, chown, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isMap, parseDocument } from "yaml";
import { AppError } from "#domain/errors.ts";
import type { Config } from "./config-schema.ts";
import { configPath, type Environment, parseConfig, TEXT_VARIABLE } from "./load-config.ts";

/**
 * outbox.yaml while the program runs. It need not exist yet. Without the remarks at its paths, Next assumes that any
 * file of the project may be read here, and copies all of them into the build.
 */
export class ConfigFile {
  /** Name without its folder, which pages must not show. */
  readonly name: string;
  readonly #path: string;
  readonly #env: Environment;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(env: Environment) {
    this.#path = resolve(/* turbopackIgnore: true */ configPath(env) ?? "outbox.yaml");
    this.name = basename(this.#path);
    this.#env = env;
  }

  /** Why it cannot be written, as a sentence; null if it can. */
  refusal(): string | null {
    if (this.#env[TEXT_VARIABLE]) return `The configuration is the text of ${TEXT_VARIABLE}, which cannot be written.`;
    try {
      const place = this.read() === null ? dirname(this.#path) : this.#path;
      accessSync(/* turbopackIgnore: true */ place, constants.W_OK);
      return null;
    } catch {
      return `${this.name} may not be written by the console's process.`;
    }
  }

  /** Null while it does not exist. */
  read(): string | null {
    const text = this.#env[TEXT_VARIABLE];
    if (text) return text;
    if (!existsSync(/* turbopackIgnore: true */ this.#path)) return null;
    return readFileSync(/* turbopackIgnore: true */ this.#path, "utf8");
  }

  /** Changes with every change of the file; null while it does not exist. */
  stamp(): string | null {
    if (this.#env[TEXT_VARIABLE]) return null;
    const found = statSync(/* turbopackIgnore: true */ this.#path, { throwIfNoEntry: false });
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : null;
  }

  /** The configuration of a text. Throws ConfigError. */
  parse(text: string): Config {
    return parseConfig(text, this.#env, this.name);
  }

  /** Version of the file's entry for an outbox: if two people save it, the second is refused. */
  versionOf(outbox: string): string {
    const { contents } = parseDocument(this.read() ?? "");
    const entry = isMap(contents) ? contents.getIn(["outboxes", outbox], true) : undefined;
    const text = JSON.stringify(entry ?? null);
    return createHash("sha256").update(text).digest("base64url").slice(0, 16);
  }

  /** Changes of one process run one after another, each from the text that the one before has left. */
  inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(change);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Replaces the text. Throws: conflict, if it is no longer `before`; wrong_state, if it cannot be written. */
  async replace(before: string | null, text: string): Promise<void> {
    try {
      const path = before === null ? this.#path : realpathSync(/* turbopackIgnore: true */ this.#path);
      await replaceFile(path, { before, text, isUnchanged: () => this.read() === before });
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError("wrong_state", `${this.name} could not be written (${codeOf(error)}).`, { cause: error });
    }
  }

  /** Restores `before`, unless the text has changed since. */
  async restore(before: string | null, text: string): Promise<void> {
    if (this.read() !== text) return;
    if (before === null) await rm(/* turbopackIgnore: true */ this.#path, { force: true });
    else await this.replace(text, before);
  }
}

interface Replacement {
  before: string | null;
  text: string;
  isUnchanged: () => boolean;
}

const CHANGED = "The file has been changed meanwhile: load the page again.";

/**
 * By a new file and a rename; in place where the folder may not be written or the file's owner cannot be kept, as with
 * a file that is mounted alone.
 */
async function replaceFile(path: string, { before, text, isUnchanged }: Replacement): Promise<void> {
  const temporary = join(/* turbopackIgnore: true */ dirname(path), `.outbox-${randomUUID()}.yaml`);
  try {
    await writeAs(temporary, text, before === null ? null : await stat(/* turbopackIgnore: true */ path));
    if (!isUnchanged()) throw new AppError("conflict", CHANGED);
    await rename(/* turbopackIgnore: true */ temporary, path);
  } catch (error) {
    await rm(/* turbopackIgnore: true */ temporary, { force: true }).catch(() => undefined);
    if (before === null || !["EACCES", "EPERM", "EBUSY", "EROFS"].includes(codeOf(error))) throw error;
    if (!isUnchanged()) throw new AppError("conflict", CHANGED);
    await writeInPlace(path, { before, text });
  }
}

/** A new file with the owner and the rights of another. */
async function writeAs(path: string, text: string, like: { mode: number; uid: number; gid: number } | null) {
  const file = await open(/* turbopackIgnore: true */ path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  if (!like) return;
  const made = await stat(/* turbopackIgnore: true */ path);
  if (made.uid !== like.uid || made.gid !== like.gid) await chown(/* turbopackIgnore: true */ path, like.uid, like.gid);
  await chmod(/* turbopackIgnore: true */ path, like.mode);
}

/** Not atomic: a crash leaves a partial text. After an error the old text is written again. */
async function writeInPlace(path: string, { before, text }: { before: string; text: string }): Promise<void> {
  const write = async (content: string) => {
    const file = await open(/* turbopackIgnore: true */ path, "r+");
    try {
      await file.truncate(0);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  };
  try {
    await write(text);
  } catch (error) {
    await write(before);
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
