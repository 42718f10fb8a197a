/**
 * The shape of a screen that no screen file knows: window, ids and classes, without any word, name or number. It goes to
 * the log and to the edge; the screen itself stays in the memory of this process. Names that may be made of what is
 * shown are only counted (screens/plain_names.ts).
 */
import { createHash } from "node:crypto";
import { isPlainId, plainClass, plainWindow } from "../screens/plain_names.ts";
import type { ScreenWords } from "../screens/screen_words.ts";
import { SHIPPED_WORDS } from "../screens/shipped_files.ts";
import { isOfApp, readAppScreen } from "./app_screen.ts";
import type { AppAccount } from "./phone.ts";
import type { ScreenReading } from "./read_screen.ts";
import { type ScreenNode, within } from "./screen.ts";

export interface UnknownScreen {
  /** Equal for the same screen on other phones, in any language. */
  fingerprint: string;
  /** `row`: the chat is known, and the row that shows our own message is not. */
  kind: "dialog" | "screen" | "row";
  /** The activity in front, without its app. */
  window: string;
  /** Ids that no file names, at most 12; "id_1" and so on stand for those that are not told. */
  ids: string[];
  /** The screen, to read it again with other files; `text` is that of the row. Null = too large to keep. */
  seen: { nodes: ScreenNode[]; activity: string; text?: string } | null;
}

/** Stands for a part of a name that is not told. */
const HIDDEN = "name";
const MOST_IDS = 12;
const MOST_ID_CHARS = 80;
const MOST_WINDOW_CHARS = 120;
/** A usual screen has fewer than 300 nodes. */
const MOST_NODES_KEPT = 2_000;
const MOST_TEXT_KEPT = 2_000;
/** Lists hold other people's messages, and these differ from phone to phone. */
const LIST_CLASS = /(?:RecyclerView|ListView)$/;

/** Returns the shape of the screen of a reading. */
export function shapeOf(reading: ScreenReading, account: AppAccount): UnknownScreen {
  const { app, words = SHIPPED_WORDS } = account;
  const { nodes, screen } = reading;
  const isDialog = screen.kind === "dialog";
  const shown = isDialog ? windowOfDialog(nodes, app, words) : outsideLists(nodes, app, words);
  return shape(reading, account, isDialog ? "dialog" : "screen", shown);
}

/**
 * Returns the shape of the row that shows our own message in a known chat, or null when the message is not in sight.
 * `shows` tells whether a node's text is the message.
 */
export function shapeOfStrangeRow(
  reading: ScreenReading,
  account: AppAccount,
  shows: (text: string) => boolean,
): UnknownScreen | null {
  const { app, words = SHIPPED_WORDS } = account;
  const { nodes } = reading;
  const entry = words.ids("entry", app);
  const at = nodes.findIndex((node) => isOfApp(node, app) && !entry.includes(node.id) && shows(node.text));
  if (at < 0) return null;
  const found = shape(reading, account, "row", pathTo(nodes, at));
  if (found.seen) found.seen.text = found.seen.nodes[at]!.text;
  return found;
}

/** Returns whether the screen is known with the present words of its account. */
export function isKnownNow({ kind, seen }: UnknownScreen, { app, words }: AppAccount): boolean {
  // Only another try can show it.
  if (seen === null) return true;
  const screen = readAppScreen(seen.nodes, app, seen.activity, words);
  if (kind === "row") return screen.kind === "chat" && screen.outgoing.some(({ text }) => text === seen.text);
  if (screen.kind === "dialog") return screen.isKnown;
  if (screen.kind === "picture") return screen.send !== null && screen.number !== null;
  return screen.kind === "chat" ? screen.isWhole : screen.kind !== "other" || !screen.isStrange;
}

function shape(
  { nodes, activity }: ScreenReading,
  { app, words = SHIPPED_WORDS }: AppAccount,
  kind: UnknownScreen["kind"],
  shown: readonly ScreenNode[],
): UnknownScreen {
  const ids = distinct(shown.map(({ id }) => id).filter((id) => id !== ""));
  const classes = distinct(shown.map(({ className }) => plainClass(className, words, () => HIDDEN)));
  const window = windowOf(activity, app, words);
  const isTold = (id: string) => isPlainId(id, app, words);
  // A hash of what is not told could be guessed, and would differ from phone to phone.
  const names = distinct(ids.map((id) => isTold(id) ? nameOf(id, app) : HIDDEN));
  const facts = JSON.stringify([kind, window, names, classes]);
  const unknown = ids.filter((id) => !words.knowsId(id, app));
  const told = distinct(unknown.filter(isTold).map((id) => nameOf(id, app)));
  const hidden = unknown.filter((id) => !isTold(id)).map((_, at) => `id_${at + 1}`);
  return {
    fingerprint: createHash("sha256").update(facts).digest("hex").slice(0, 24),
    kind,
    window,
    ids: [...told, ...hidden].slice(0, MOST_IDS),
    seen: nodes.length > MOST_NODES_KEPT
      ? null
      : { activity, nodes: nodes.map((node) => ({ ...node, text: node.text.slice(0, MOST_TEXT_KEPT) })) },
  };
}

/** The two apps have the same screens under other names. */
function nameOf(id: string, app: string): string {
  const own = `${app}:id/`;
  return (id.startsWith(own) ? id.slice(own.length) : id).slice(0, MOST_ID_CHARS);
}

/** Returns the activity in front without its app. */
function windowOf(activity: string, app: string, words: ScreenWords): string {
  const window = plainWindow(activity, app, words, () => HIDDEN) ?? (activity === "" ? "" : HIDDEN);
  return window.slice(window.indexOf("/") + 1).replace(/[^A-Za-z0-9_.$:/]/g, "").slice(0, MOST_WINDOW_CHARS);
}

function windowOfDialog(nodes: readonly ScreenNode[], app: string, words: ScreenWords): ScreenNode[] {
  const messages = words.ids("dialogMessage", app);
  const at = nodes.findIndex(({ id, text }) => messages.includes(id) && text !== "");
  const root = pathTo(nodes, at)[0];
  return root ? [root, ...within(nodes as ScreenNode[], root)] : [];
}

/** Returns the nodes above the one at an index, outermost first, and that node. */
function pathTo(nodes: readonly ScreenNode[], at: number): ScreenNode[] {
  if (at < 0) return [];
  const path = [nodes[at]!];
  for (let i = at - 1; i >= 0 && path[0]!.depth > 0; i--) {
    if (nodes[i]!.depth < path[0]!.depth) path.unshift(nodes[i]!);
  }
  return path;
}

function outsideLists(nodes: readonly ScreenNode[], app: string, words: ScreenWords): ScreenNode[] {
  const lists = words.ids("chatList", app);
  const shown: ScreenNode[] = [];
  let hiddenBelow = Infinity;
  for (const node of nodes) {
    if (node.depth > hiddenBelow) continue;
    const isList = lists.includes(node.id) || LIST_CLASS.test(node.className);
    hiddenBelow = isList ? node.depth : Infinity;
    if (isOfApp(node, app)) shown.push(node);
  }
  return shown;
}

function distinct(list: readonly string[]): string[] {
  return [...new Set(list)].sort();
}
