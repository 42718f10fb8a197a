/** A uiautomator dump as a tree that keeps every attribute, and the tree of a recording as a dump. */
import { parseAttributes, TAG } from "../phone/screen.ts";
import { FLAGS, MAX_DEPTH, MAX_NODES, type RecordedNode } from "./recording.ts";

/** One node with the attributes that the phone wrote, decoded. */
export interface RawNode {
  attributes: Map<string, string>;
  nodes: RawNode[];
}

/** Reads the nodes of a dump; text that is no node is left out. Returns null for a dump that is too large or too deep. */
export function treeOf(xml: string): RawNode[] | null {
  const roots: RawNode[] = [];
  const open: RawNode[] = [];
  let count = 0;
  for (const [tag, attributes, selfClosing] of xml.matchAll(TAG)) {
    if (tag === "</node>") {
      open.pop();
      continue;
    }
    const node = { attributes: parseAttributes(attributes ?? "", false), nodes: [] };
    (open.at(-1)?.nodes ?? roots).push(node);
    if (!selfClosing) open.push(node);
    if (++count > MAX_NODES || open.length > MAX_DEPTH) return null;
  }
  return roots;
}

/** Writes the windows of a recording as uiautomator would. */
export function xmlOf(windows: readonly RecordedNode[]): string {
  const nodes = windows.map((node, index) => nodeXml(node, index)).join("");
  return `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">${nodes}</hierarchy>`;
}

function nodeXml(node: RecordedNode, index: number): string {
  const { id = "", class: className = "", app = "", text = "", description = "", hint } = node;
  const attributes: [string, string][] = [
    ["index", `${index}`],
    ["text", text],
    ["resource-id", id],
    ["class", className],
    ["package", app],
    ["content-desc", description],
    ...(hint === undefined ? [] : [["hint", hint] as [string, string]]),
    ...Object.entries(node.more ?? {}),
    ...FLAGS.map((flag): [string, string] => [flag, `${node.is?.includes(flag) ?? false}`]),
    ["bounds", boundsText(node.box)],
  ];
  const tag = `<node ${attributes.map(([name, value]) => `${name}="${escapeXml(value)}"`).join(" ")}`;
  const inner = (node.nodes ?? []).map(nodeXml).join("");
  return inner === "" ? `${tag} />` : `${tag}>${inner}</node>`;
}

function boundsText([left, top, right, bottom] = [0, 0, 0, 0]): string {
  return `[${left},${top}][${right},${bottom}]`;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return text.replace(
    /[&<>"\n\r\t]|[\u{10000}-\u{10ffff}]/gu,
    (character) => ESCAPES[character] ?? `&#${character.codePointAt(0)};`,
  );
}
