import type { Call, Member, Named, Node } from "./eslint-types.ts";

/**
 * Names of calls, as settings have them: `db.transaction`, `inTransaction`, `*producer*.send`. A star stands for any
 * text.
 */
export type CallPatterns = readonly string[];

export const isCall = (node: Node): node is Call => node.type === "CallExpression";
const isMember = (node: Node): node is Member => node.type === "MemberExpression";
const isNamed = (node: Node): node is Named => node.type === "Identifier" || node.type === "PrivateIdentifier";

/** The node without wrappers of types or optional chains. */
export function bare(node: Node): Node {
  const inner = (node as Node & { expression?: Node }).expression;
  return /^TS|^ChainExpression$/.test(node.type) && inner ? bare(inner) : node;
}

export function memberOf(node: Node): Member | null {
  const callee = bare(node);
  return isMember(callee) && !callee.computed ? callee : null;
}

/**
 * The last name of the receiver and the method, `producer.send` for `this.kafka.producer.send`; the name of a function.
 */
export function nameOfCall({ callee }: Call): string {
  const member = memberOf(callee);
  if (member) return `${lastName(member.object)}.${member.property.name}`;
  const called = bare(callee);
  return isNamed(called) ? called.name : "";
}

function lastName(node: Node): string {
  const receiver = bare(node);
  if (isNamed(receiver)) return receiver.name;
  if (isCall(receiver)) return `${lastName(receiver.callee)}()`;
  return isMember(receiver) && !receiver.computed ? receiver.property.name : "";
}

const compiled = new Map<string, RegExp>();

export function matches(name: string, patterns: CallPatterns): boolean {
  return patterns.some((pattern) => {
    const known = compiled.get(pattern) ?? toExpression(pattern);
    compiled.set(pattern, known);
    return known.test(name);
  });
}

function toExpression(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "i");
}
