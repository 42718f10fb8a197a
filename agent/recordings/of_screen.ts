/** Makes a recording of one screen that the agent has already read. */
import type { ScreenNode } from "../phone/screen.ts";
import type { UnknownScreen } from "../phone/screen_shape.ts";
import type { RawNode } from "./dump_tree.ts";
import { plainFacts, type RecordingOptions } from "./record_phone.ts";
import type { Recording } from "./recording.ts";
import { Redactor } from "./redact.ts";

/**
 * Returns the redacted recording of an unknown screen, or null when it was too large to keep. `delivery` is what was to
 * be sent, as it is: it is kept in stand-ins.
 */
export function recordingOfScreen(
  { kind, seen }: UnknownScreen,
  { facts, delivery, words, random }: RecordingOptions,
): Recording | null {
  if (seen === null) return null;
  const redactor = new Redactor({ ...delivery, app: facts.app, words, random });
  const own = delivery && {
    phone: redactor.phone(delivery.phone),
    text: redactor.personal(delivery.text),
    isPicture: delivery.isPicture,
  };
  return {
    format: 1,
    standing: "recorded",
    facts: { ...facts, ...plainFacts(facts) },
    delivery: own,
    steps: [{
      asked: "open_chat",
      atMs: 0,
      tookMs: 0,
      answer: {
        exitCode: 0,
        dump: treeOfNodes(seen.nodes).map((node) => redactor.node(node)),
        focus: { user: facts.user, window: redactor.window(seen.activity) },
        uptimeS: 0,
        boot: 1,
      },
    }],
    // A row is met after its tap.
    verdict: { kind: kind === "row" ? "doubt" : "unknown_screen" },
  };
}

/** Returns nodes in the order of a dump as a tree. */
function treeOfNodes(nodes: readonly ScreenNode[]): RawNode[] {
  const roots: RawNode[] = [];
  const open: { depth: number; node: RawNode }[] = [];
  for (const shown of nodes) {
    while (open.length > 0 && open.at(-1)!.depth >= shown.depth) open.pop();
    const node: RawNode = { attributes: attributesOf(shown), nodes: [] };
    (open.at(-1)?.node.nodes ?? roots).push(node);
    open.push({ depth: shown.depth, node });
  }
  return roots;
}

function attributesOf({ bounds: { left, top, right, bottom }, ...shown }: ScreenNode): Map<string, string> {
  return new Map([
    ["resource-id", shown.id],
    ["class", shown.className],
    ["package", shown.app],
    ["text", shown.text],
    ["content-desc", shown.description],
    ["clickable", `${shown.isClickable !== false}`],
    ["enabled", `${shown.isEnabled !== false}`],
    ["scrollable", `${shown.isScrollable}`],
    ["bounds", `[${left},${top}][${right},${bottom}]`],
  ]);
}
