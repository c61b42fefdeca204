/** As much of ESLint's interface as these rules use, so that the package needs no ESLint. */
export interface Node {
  type: string;
  parent?: Node | null;
  range?: [number, number];
}

export type Named = Node & { name: string };
export type Member = Node & { object: Node; property: Named; computed: boolean };
export type Call = Node & { callee: Node; arguments: Node[] };
export type Tagged = Node & { tag: Node };
export type Fn = Node & { params: Node[] };

export interface Scope {
  set: ReadonlyMap<string, unknown>;
  block: Node;
  upper: Scope | null;
}

export interface RuleContext {
  settings: Record<string, unknown>;
  sourceCode: {
    getText(node: Node): string;
    getScope(node: Node): Scope;
    visitorKeys: Readonly<Record<string, readonly string[]>>;
  };
  report(problem: { node: Node; messageId: string; data?: Record<string, string> }): void;
}

export interface Rule {
  meta: {
    type: "problem";
    docs: { description: string };
    schema: [];
    messages: Record<string, string>;
  };
  create(context: RuleContext): Record<string, (node: never) => void>;
}
