/** A uiautomator dump as a flat list of nodes, in document order. */
export interface ScreenNode {
  id: string;
  text: string;
  description: string;
  /** Name of its class, "android.widget.TextView". */
  className: string;
  app: string;
  /** Null = the dump does not say. */
  isClickable: boolean | null;
  isEnabled: boolean | null;
  isScrollable: boolean;
  bounds: { left: number; top: number; right: number; bottom: number };
  depth: number;
}

export interface Point {
  x: number;
  y: number;
}

// Each takes linear time: otherwise 4 MB of half a tag from a phone would keep the agent busy for hours.
export const TAG = /<node\b((?:[^<>"]|"[^"]*")*?)(\/?)>|<\/node>/g;
const ATTRIBUTE = /(?<![\w-])([\w-]+)="([^"]*)"/g;

/**
 * Reads the XML that `uiautomator dump` writes.
 *
 * @throws {SyntaxError} when the text is not a complete dump
 */
export function parseScreen(xml: string): ScreenNode[] {
  if (!xml.includes("<hierarchy") || !xml.trimEnd().endsWith("</hierarchy>")) {
    throw new SyntaxError("Cannot read screen: not a whole dump");
  }
  const nodes: ScreenNode[] = [];
  let depth = 0;
  for (const [tag, attributes, selfClosing] of xml.matchAll(TAG)) {
    if (tag === "</node>") {
      depth--;
      continue;
    }
    nodes.push(toNode(attributes ?? "", depth));
    if (!selfClosing) depth++;
  }
  return nodes;
}

/** Returns the nodes inside `parent`, at any depth. */
export function within(nodes: readonly ScreenNode[], parent: ScreenNode): ScreenNode[] {
  const start = nodes.indexOf(parent) + 1;
  let end = start;
  while (end < nodes.length && nodes[end]!.depth > parent.depth) end++;
  return nodes.slice(start, end);
}

/** Returns the point where a finger would touch the node. */
export function centre(node: ScreenNode): Point {
  const { left, top, right, bottom } = node.bounds;
  return { x: Math.floor((left + right) / 2), y: Math.floor((top + bottom) / 2) };
}

/**
 * Returns the attributes of a tag by name, decoded.
 *
 * @throws {SyntaxError} when one name comes twice and `isStrict`: it cannot be known which of them is shown
 */
export function parseAttributes(tag: string, isStrict = true): Map<string, string> {
  const attributes = new Map<string, string>();
  // Step over every attribute, used or not: the content of a value must not be taken for an attribute.
  ATTRIBUTE.lastIndex = 0;
  for (let found = ATTRIBUTE.exec(tag); found !== null; found = ATTRIBUTE.exec(tag)) {
    if (isStrict && attributes.has(found[1]!)) {
      throw new SyntaxError("Cannot read screen: an attribute comes twice");
    }
    attributes.set(found[1]!, decodeEntities(found[2]!));
  }
  return attributes;
}

function toNode(tag: string, depth: number): ScreenNode {
  const attributes = parseAttributes(tag);
  return {
    id: attributes.get("resource-id") ?? "",
    text: attributes.get("text") ?? "",
    description: attributes.get("content-desc") ?? "",
    app: attributes.get("package") ?? "",
    className: attributes.get("class") ?? "",
    isClickable: flag(attributes.get("clickable")),
    isEnabled: flag(attributes.get("enabled")),
    isScrollable: attributes.get("scrollable") === "true",
    bounds: readBounds(attributes.get("bounds") ?? ""),
    depth,
  };
}

function flag(value: string | undefined): boolean | null {
  return value === undefined ? null : value === "true";
}

/** Reads "[0,84][1080,210]". */
function readBounds(value: string): ScreenNode["bounds"] {
  const [left = 0, top = 0, right = 0, bottom = 0] = value.match(/-?\d+/g)?.map(Number) ?? [];
  return { left, top, right, bottom };
}

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeEntities(value: string): string {
  if (!value.includes("&")) return value;
  return value.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return NAMED[name] ?? whole;
    const code = hex ? parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
