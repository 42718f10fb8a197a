/**
 * Doubts a chat or a picture whose parts are not where and what they have to be: a new version of the app may have moved
 * its ids, and a strange window may cover the button. A screen in doubt is never tapped.
 */
import type { ScreenWords } from "../screens/screen_words.ts";
import { numbersIn, plainDigits, titleNumber } from "./number_text.ts";
import { centre, type Point, type ScreenNode, within } from "./screen.ts";

const DIALOG_PART =
  /^android:id\/(?:message|alertTitle|button[123]|parentPanel|aerr_\w+)$|^com\.(?:google\.)?android\.(?:permissioncontroller|packageinstaller):id\//;
const LIST_CLASS = /(?:ListView|RecyclerView)$/;

/** True for a part of one of Android's dialogs, whatever else is on the screen. */
export function isDialogPart({ id }: ScreenNode): boolean {
  return DIALOG_PART.test(id);
}

/** Returns where a finger would touch the node, or null when something else would take the touch. */
export function touchable(nodes: readonly ScreenNode[], node: ScreenNode): Point | null {
  if (isFlat(node) || node.isClickable === false || node.isEnabled === false) return null;
  const point = centre(node);
  const start = nodes.indexOf(node);
  let end = start + 1;
  while (end < nodes.length && nodes[end]!.depth > node.depth) end++;
  // Nodes that come later are drawn above it.
  return nodes.slice(end).some((other) => other.isClickable === true && contains(other, point)) ||
      nodes.slice(start + 1, end).some((inner) => inner.isClickable === true && contains(inner, point))
    ? null
    : point;
}

/** True for a button close under a dialog's words. An icon is none: it may be the one that sends. */
export function isButtonOf(nodes: readonly ScreenNode[], message: ScreenNode, button: ScreenNode): boolean {
  if (/Image(?:Button|View)$/.test(button.className)) return false;
  const { top, bottom } = message.bounds;
  const reach = edges(nodes).bottom / 5;
  return button.bounds.top >= top && button.bounds.top <= bottom + reach;
}

/**
 * Returns the node with the best of some ids that is in no list: old versions of the app also name the rows of the chats
 * so. `lists` are the ids of lists.
 */
export function outsideLists(
  nodes: readonly ScreenNode[],
  ids: readonly string[],
  lists: readonly string[],
): ScreenNode | null {
  for (const id of ids) {
    const found = nodes.find((node) => node.id === id && !isInList(nodes, node, lists));
    if (found) return found;
  }
  return null;
}

/** The parts of a chat or of a picture's screen. `title` is null where the screen names nobody. */
export interface Parts {
  kind: "chat" | "picture";
  app: string;
  title: ScreenNode | null;
  box: ScreenNode;
  send: ScreenNode | null;
  /** The ids of lists of people's words. */
  lists: readonly string[];
  words: ScreenWords;
}

/** True when nothing on the screen contradicts these parts. */
export function isSound(nodes: readonly ScreenNode[], shown: Parts): boolean {
  const { kind, app, title, box, send, lists, words } = shown;
  const parts = [title, box, send].filter((part) => part !== null);
  if (parts.some((part) => part.app !== app && part.app !== "")) return false;
  // Two of one kind: two chats in one dump, or an id that means something else.
  if (parts.some((part) => isInList(nodes, part, lists))) return false;
  const isTwice = (part: ScreenNode) =>
    nodes.some((node) =>
      node !== part && node.id === part.id && !(part === title && isInList(nodes, node, lists))
    );
  if (parts.some(isTwice)) return false;
  if (touchable(nodes, { ...box, isClickable: null }) === null && touchable(nodes, box) === null) {
    return false;
  }
  if (box.className !== "" && !isBox(box)) return false;
  if (nodes.some((node) => node !== box && isBox(node) && node.text !== "")) return false;
  if (send && !isSoundButton(nodes, send, shown)) return false;
  if (kind === "chat" && (!title || !isSoundTitle(nodes, title, box, send))) return false;
  const own = numberOf(title, words);
  // Nothing is tapped without a number.
  if (title === null || own === "") return true;
  if (isFlat(title)) return false;
  const isPlace = kind === "chat" ? placeOfTitle(nodes, title, shown) : () => true;
  const isOther = (node: ScreenNode) =>
    namesOther(node, own, node === title || node === box) && isPlace(node) && !isInList(nodes, node, lists);
  if (nodes.some(isOther)) return false;
  if (kind === "chat") return true;
  const isBeside = placeBeside(nodes, title, shown);
  return !nodes.some((node) => isBeside(node) && hasOtherWords(node, own, words));
}

/** Returns the digits of the number that a title or a receiver is; "" = it is none. */
export function numberOf(title: ScreenNode | null, words: ScreenWords): string {
  return title === null ? "" : titleNumber(title.text || title.description, words);
}

function isSoundButton(
  nodes: readonly ScreenNode[],
  send: ScreenNode,
  { box, kind, words }: Parts,
): boolean {
  if (touchable(nodes, send) === null) return false;
  const { top, bottom, left, right } = send.bounds;
  // It stands in the row of its box; under a picture it may be one row lower.
  const reach = kind === "chat" ? 0 : 2 * Math.max(bottom - top, height(box));
  if (top >= box.bounds.bottom + reach || bottom <= box.bounds.top) return false;
  const screen = edges(nodes);
  if ((right - left) * (bottom - top) > 0.05 * screen.right * screen.bottom) return false;
  const label = send.description || send.text;
  if (label === "" || words.isOtherButton(label)) return false;
  return words.isSendButton(label) ||
    !nodes.some((node) => node !== send && words.isSendButton(node.description));
}

/** The title is at the top, above the box and over it. */
function isSoundTitle(
  nodes: readonly ScreenNode[],
  title: ScreenNode,
  box: ScreenNode,
  send: ScreenNode | null,
): boolean {
  if (isFlat(title) || title.bounds.bottom > box.bounds.top) return false;
  const { x, y } = centre(title);
  const left = Math.min(box.bounds.left, send?.bounds.left ?? Infinity);
  const right = Math.max(box.bounds.right, send?.bounds.right ?? -Infinity);
  return y < edges(nodes).bottom / 4 && x >= left && x < right;
}

/**
 * Returns whether a node is where a chat names its receiver: in the bar of the title, beside it or above. Below it people
 * speak: pinned messages, dates between rows, quotations and previews of links over the box.
 */
function placeOfTitle(
  nodes: readonly ScreenNode[],
  title: ScreenNode,
  { box, send }: Parts,
): (node: ScreenNode) => boolean {
  const left = Math.min(box.bounds.left, send?.bounds.left ?? Infinity);
  const right = Math.max(box.bounds.right, send?.bounds.right ?? -Infinity);
  const aroundBox = new Set(above(nodes, box));
  const bar = above(nodes, title).find((node) =>
    node.bounds.left <= left && node.bounds.right >= right && !aroundBox.has(node)
  );
  const bottom = bar ? Math.max(bar.bounds.bottom, title.bounds.bottom) : title.bounds.bottom + height(title);
  const inBar = new Set(bar ? within(nodes, bar) : []);
  return (node) => centre(node).y < bottom || inBar.has(node);
}

/** True for a node with another number than the title's: then two places name the person differently. */
function namesOther({ text, description }: ScreenNode, own: string, isKnownText: boolean): boolean {
  const numbers = [...(isKnownText ? [] : numbersIn(text)), ...numbersIn(description)];
  return numbers.some((number) => number !== own && !own.endsWith(number.replace(/^0/, "")));
}

/**
 * Returns whether a node is where a picture's second receiver would stand: in the row or in the frame of the first, or
 * below the top of the box.
 */
function placeBeside(
  nodes: readonly ScreenNode[],
  receiver: ScreenNode,
  { box, send }: Parts,
): (node: ScreenNode) => boolean {
  const around = new Set([box, send].flatMap((part) => part ? [part, ...above(nodes, part)] : []));
  const frame = above(nodes, receiver).findLast((outer) => !around.has(outer));
  const inFrame = new Set(frame ? [frame, ...within(nodes, frame)] : []);
  const { top, bottom } = receiver.bounds;
  return (node) => {
    if (node === receiver || node === box || node === send || isFlat(node)) return false;
    // What is said about the whole screen names nobody.
    if (node.text === "" && around.has(node)) return false;
    const isInRow = node.bounds.top < bottom && node.bounds.bottom > top;
    return isInRow || centre(node).y >= box.bounds.top || inFrame.has(node);
  };
}

/** True for words that are neither the receiver's number nor those of a button: a name, "+1 more", the status. */
function hasOtherWords(
  { text, description, className }: ScreenNode,
  own: string,
  words: ScreenWords,
): boolean {
  const isButton = (label: string) => words.isSendButton(label) || words.isOtherButton(label);
  if (text !== "" && titleNumber(text, words) !== own && !isButton(text)) return true;
  // An icon's description says what it does; a frame's may repeat what is in it.
  if (description === "" || /(?:Button|ImageView)$/.test(className) || isButton(description)) return false;
  const isOwn = numbersIn(description).includes(own);
  return !isOwn || plainDigits(description).replace(/\D/g, "") !== own;
}

/** Returns the nodes above one, innermost first. */
export function above(nodes: readonly ScreenNode[], node: ScreenNode): ScreenNode[] {
  const path: ScreenNode[] = [];
  let { depth } = node;
  for (let i = nodes.indexOf(node) - 1; i >= 0 && depth > 0; i--) {
    if (nodes[i]!.depth >= depth) continue;
    path.push(nodes[i]!);
    depth = nodes[i]!.depth;
  }
  return path;
}

function isInList(nodes: readonly ScreenNode[], node: ScreenNode, lists: readonly string[]): boolean {
  const list = above(nodes, node).find((outer) =>
    lists.includes(outer.id) || LIST_CLASS.test(outer.className) || outer.isScrollable
  );
  return list !== undefined && !isBox(list);
}

/** True for a list of rows; a page of the app that is longer than the screen is none. */
export function isList({ id, className, isScrollable }: ScreenNode, lists: readonly string[]): boolean {
  return lists.includes(id) || LIST_CLASS.test(className) ||
    (isScrollable && !/(?:ScrollView|EditText)$/.test(className));
}

export function isBox({ className }: ScreenNode): boolean {
  return className.endsWith("EditText");
}

function edges(nodes: readonly ScreenNode[]): { right: number; bottom: number } {
  return {
    right: nodes.reduce((most, { bounds }) => Math.max(most, bounds.right), 0),
    bottom: nodes.reduce((most, { bounds }) => Math.max(most, bounds.bottom), 0),
  };
}

function height({ bounds: { top, bottom } }: ScreenNode): number {
  return bottom - top;
}

function isFlat({ bounds: { left, top, right, bottom } }: ScreenNode): boolean {
  return right <= left || bottom <= top;
}

function contains({ bounds: { left, top, right, bottom } }: ScreenNode, { x, y }: Point): boolean {
  return x >= left && x < right && y >= top && y < bottom;
}
