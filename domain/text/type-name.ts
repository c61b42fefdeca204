export interface TypeName {
  /** Without namespace, assembly and version. */
  short: string;
  /** Digits with their dots; null if the name has none. */
  version: string | null;
}

/** `Name, Assembly, Version=1.2.3.4, …`; generic names, which hold others in brackets, are left whole. */
const ASSEMBLY = /^([^\s,[\]`]+),\s*[\w.-]+(?:,\s*Version=(\d+(?:\.\d+)*))?(?:,\s*\w+=[^,]+)*$/;
const SEPARATED_V = /[._:/@-]v(\d+(?:[._]\d+)*)$/i;
const CAPITAL_V = /(?<=[a-z\d])V(\d+)$/;
/** A version between other parts: `order.v2.created`. */
const INNER_V = /[._:/-]v(\d+)(?=[._:/-])/;
const TOP_LEVEL_DOMAIN = /^(?:com|org|net|io|dev|app|edu|gov)\.[\w-]+\.(?=[^.]+\.)/;

/**
 * A type's name for people. Only for display: the whole name stays what is filtered and grouped by.
 * `com.acme.OrderCreatedV2, Acme, Version=1.0.0.0` is OrderCreated, version 2; a version in the type's own name goes
 * before its assembly's.
 */
export function parseTypeName(whole: string): TypeName {
  const assembly = ASSEMBLY.exec(whole.trim());
  const name = assembly?.[1] ?? whole.trim();
  if (/[[\]`]/.test(name)) return { short: name, version: null };
  const own = splitVersion(name);
  return { short: withoutNamespace(own.name) || whole, version: own.version ?? assembly?.[2] ?? null };
}

function splitVersion(name: string): { name: string; version: string | null } {
  for (const pattern of [SEPARATED_V, CAPITAL_V, INNER_V, /@(\d+(?:\.\d+)*)$/]) {
    const found = pattern.exec(name);
    if (found && found.index > 0)
      return {
        name: name.slice(0, found.index) + name.slice(found.index + found[0].length),
        version: found[1] ?? null,
      };
  }
  return { name, version: null };
}

/** The part after the namespace if it is written like a class; a reversed domain is dropped from other names. */
function withoutNamespace(name: string): string {
  const last = name.slice(Math.max(...[".", "\\", "+", ":", "/"].map((mark) => name.lastIndexOf(mark))) + 1);
  if (/^\p{Lu}/u.test(last)) return last;
  return name.replace(TOP_LEVEL_DOMAIN, "");
}
