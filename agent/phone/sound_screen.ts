/**
 * Doubts a chat or a picture whose parts are not where and what they have to be: a new version of the app may have moved
 * its ids, and a strange window may cover the button. A screen in doubt is never tapped.
 */
import { centre, type Point, type ScreenNode } from "./screen.ts";

/** What the send button is called. Other buttons are not, in the languages that are known. */
const SEND_WORDS = /^(?:send|שליחה|שלח|שלחו|שליחת הודעה|إرسال|отправить)$/i;
const OTHER_BUTTONS =
  /^(?:attach|camera|emoji|voice (?:message|call)|video call|navigate up|back|more options|view once|stickers?|photo|צירוף|צרף|מצלמה|אמוג.י|הודעה קולית|שיחה קולית|ניווט למעלה|חזרה|אפשרויות נוספות|תמונה|إرفاق|الكاميرا|رموز تعبيرية|رسالة صوتية|مكالمة صوتية|رجوع|المزيد|صورة|прикрепить|камера|эмодзи|голосовое сообщение|аудиозвонок|назад|ещё|фото)(?:$|[\s,.])/i;

const DIALOG_PART =
  /^android:id\/(?:message|alertTitle|button[123]|parentPanel|aerr_\w+)$|^com\.(?:google\.)?android\.(?:permissioncontroller|packageinstaller):id\//;
const LIST_ID = /:id\/(?:list|conversation_text_row|contact_row_container)$/;
const LIST_CLASS = /(?:ListView|RecyclerView)$/;

/** True when a part of one of Android's dialogs is on the screen, whatever else is. */
export function hasDialogPart(nodes: readonly ScreenNode[]): boolean {
  return nodes.some(({ id }) => DIALOG_PART.test(id));
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

/** Returns the node with this id that is in no list: old versions of the app also name the rows of the chats so. */
export function outsideLists(nodes: readonly ScreenNode[], id: string): ScreenNode | null {
  return nodes.find((node) => node.id === id && !isInList(nodes, node)) ?? null;
}

/** The parts of a chat or of a picture's screen. `title` is null where the screen names nobody. */
export interface Parts {
  kind: "chat" | "picture";
  app: string;
  title: ScreenNode | null;
  box: ScreenNode;
  send: ScreenNode | null;
}

/** True when nothing on the screen contradicts these parts. */
export function isSound(nodes: readonly ScreenNode[], { kind, app, title, box, send }: Parts): boolean {
  const parts = [title, box, send].filter((part) => part !== null);
  if (parts.some((part) => part.app !== app && part.app !== "")) return false;
  // Two of one kind: two chats in one dump, or an id that means something else.
  if (parts.some((part) => isInList(nodes, part))) return false;
  const isTwice = (part: ScreenNode) =>
    nodes.some((node) => node !== part && node.id === part.id && !(part === title && isInList(nodes, node)));
  if (parts.some(isTwice)) return false;
  if (touchable(nodes, { ...box, isClickable: null }) === null && touchable(nodes, box) === null) {
    return false;
  }
  if (box.className !== "" && !isBox(box)) return false;
  if (nodes.some((node) => node !== box && isBox(node) && node.text !== "")) return false;
  if (send && !isSoundButton(nodes, send, box, kind)) return false;
  if (kind === "chat" && (!title || !isSoundTitle(nodes, title, box, send))) return false;
  return !nodes.some((node) =>
    node !== title && node !== box && isOtherNumber(nodes, node, box, title, kind)
  );
}

function isSoundButton(
  nodes: readonly ScreenNode[],
  send: ScreenNode,
  box: ScreenNode,
  kind: Parts["kind"],
): boolean {
  if (touchable(nodes, send) === null) return false;
  const { top, bottom, left, right } = send.bounds;
  // It stands in the row of its box; under a picture it may be one row lower.
  const reach = kind === "chat" ? 0 : 2 * Math.max(bottom - top, height(box));
  if (top >= box.bounds.bottom + reach || bottom <= box.bounds.top) return false;
  const screen = edges(nodes);
  if ((right - left) * (bottom - top) > 0.05 * screen.right * screen.bottom) return false;
  const label = send.description || send.text;
  if (label === "" || OTHER_BUTTONS.test(label)) return false;
  return SEND_WORDS.test(label) || !nodes.some((node) => node !== send && SEND_WORDS.test(node.description));
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

/** True for a number outside of rows that is not the title's: then two places name the person differently. */
function isOtherNumber(
  nodes: readonly ScreenNode[],
  node: ScreenNode,
  box: ScreenNode,
  title: ScreenNode | null,
  kind: Parts["kind"],
): boolean {
  const digits = numberIn(node.text);
  if (digits === "" || isInList(nodes, node)) return false;
  if (kind === "chat" && centre(node).y >= box.bounds.top) return false;
  return digits !== numberIn(title?.text ?? "");
}

/** Returns the digits of a text that is nothing but a phone number. */
function numberIn(text: string): string {
  const digits = text.replace(/\D/g, "");
  return digits.length >= 7 && digits.length <= 15 && !/[\p{L}\n]/u.test(text) ? digits : "";
}

function isInList(nodes: readonly ScreenNode[], node: ScreenNode): boolean {
  let { depth } = node;
  for (let i = nodes.indexOf(node) - 1; i >= 0 && depth > 0; i--) {
    const above = nodes[i]!;
    if (above.depth >= depth) continue;
    if (LIST_ID.test(above.id) || LIST_CLASS.test(above.className) || above.isScrollable) {
      return !isBox(above);
    }
    depth = above.depth;
  }
  return false;
}

function isBox({ className }: ScreenNode): boolean {
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
