/**
 * Judges a tap as a person would who looks at the screen: by what stands where, and not by the ids that the flows read.
 * It shares no code with app_screen.ts, so that one mistake cannot hide the other.
 */
import type { RecordedNode } from "./recording.ts";

export interface SeenDelivery {
  phone: string;
  text: string;
  isPicture: boolean;
}

interface Seen {
  node: RecordedNode;
  box: { left: number; top: number; right: number; bottom: number };
  /** Inside something that scrolls: rows of a chat, chats of a list. */
  isInList: boolean;
}

/** The title of a chat is in this upper part of the screen. */
const TITLE_PART = 0.25;
/** A button is no larger part of the screen. */
const BUTTON_PART = 0.05;

/** Returns why a tap at this point sends something else than the delivery, or null when it is right. */
export function whyWrong(
  windows: readonly RecordedNode[],
  point: { x: number; y: number },
  delivery: SeenDelivery,
): string | null {
  const seen = windows.flatMap((window) => flat(window, false));
  if (seen.some(({ node }) => isOfDialog(node))) return "a dialog is on the screen";
  const screen = {
    right: Math.max(...seen.map(({ box }) => box.right)),
    bottom: Math.max(...seen.map(({ box }) => box.bottom)),
  };
  const boxes = seen.filter(({ node, isInList }) => /EditText$/.test(node.class ?? "") && !isInList);
  const filled = boxes.filter(({ node }) => (node.text ?? "") !== "");
  if (filled.length !== 1) return `${filled.length} filled boxes`;
  const [entry] = filled as [Seen];
  if (lines(entry.node.text!) !== lines(delivery.text)) return "another draft";
  const numbers = seen.filter((one) => one !== entry && !one.isInList && numberOf(one.node) !== null);
  const high = numbers.filter(({ box }) =>
    box.bottom <= entry.box.top && middle(box).y < TITLE_PART * screen.bottom &&
    box.right > box.left && middle(box).x >= paneOf(seen, entry).left &&
    middle(box).x <= paneOf(seen, entry).right
  );
  // A chat's bar is at the top. Numbers further down are in pinned messages, dates and previews.
  const bar = Math.min(...high.map(({ box }) => 2 * box.bottom - box.top));
  const titles = delivery.isPicture ? numbers : high.filter(({ box }) => box.top <= bar);
  if (titles.some(({ node }) => !isSame(numberOf(node)!, delivery.phone))) return "another number";
  if (titles.length === 0) return "no number as title";
  if (delivery.isPicture && seen.some((one) => !one.isInList && isManifold(one, titles))) {
    return "more than one receiver";
  }
  const target = seen.findLast(({ node, box }) =>
    node.is?.includes("clickable") === true && contains(box, point)
  );
  if (!target) return "nothing to tap";
  if (target.isInList) return "a row";
  if (/EditText$/.test(target.node.class ?? "")) return "the box itself";
  const { left, top, right, bottom } = target.box;
  if ((right - left) * (bottom - top) > BUTTON_PART * screen.right * screen.bottom) return "no button";
  const reach = Math.max(
    entry.box.bottom - entry.box.top,
    bottom - top,
    delivery.isPicture ? screen.bottom / 8 : 0,
  );
  if (top > entry.box.bottom + reach || bottom < entry.box.top - reach) return "not beside the box";
  if (target.node.is?.includes("enabled") === false) return "a disabled button";
  return null;
}

function flat(node: RecordedNode, isInList: boolean): Seen[] {
  const [left, top, right, bottom] = node.box ?? [0, 0, 0, 0];
  const inner = isInList || /(?:ListView|RecyclerView)$/.test(node.class ?? "") ||
    node.id === "android:id/list" ||
    node.is?.includes("scrollable") === true;
  const own = { node, box: { left, top, right, bottom }, isInList };
  return [
    own,
    ...(node.nodes ?? []).flatMap((each) => flat(each, inner && !/EditText$/.test(node.class ?? ""))),
  ];
}

function isOfDialog({ id = "" }: RecordedNode): boolean {
  return /^android:id\/(?:message|alertTitle|button[123]|parentPanel|aerr_\w+)$/.test(id) ||
    /permissioncontroller|packageinstaller/.test(id);
}

/** A tablet shows the list of chats beside the chat. Its pane is that of the narrowest tall node around the box. */
function paneOf(seen: readonly Seen[], entry: Seen): { left: number; right: number } {
  const { x, y } = middle(entry.box);
  const height = Math.max(...seen.map(({ box }) => box.bottom));
  const around = seen.filter(({ box, isInList }) =>
    !isInList && contains(box, { x, y }) && box.left <= entry.box.left && box.right >= entry.box.right &&
    box.bottom - box.top > 0.7 * height
  ).toSorted((a, b) => (a.box.right - a.box.left) - (b.box.right - b.box.left));
  return around[0]?.box ?? { left: -Infinity, right: Infinity };
}

/** Returns the digits of a number that a text, or the description of a node without a text, shows; null = none. */
function numberOf({ text = "", description = "" }: RecordedNode): string | null {
  const shown = [...text || description].filter((sign) => !/\p{Cf}/u.test(sign)).map((sign) => {
    const at = ARABIC.indexOf(sign);
    return at < 0 ? sign : `${at % 10}`;
  }).join("").replace(/ \([^()\d]{2,8}\)\s*$/, "");
  const digits = shown.replace(/\D/g, "");
  return digits.length >= 7 && digits.length <= 15 && /^[^\p{L}\n/:]*$/u.test(shown) && !DATE.test(shown)
    ? digits
    : null;
}

const ARABIC = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹";
const DATE = /^\d{1,2}\.\d{1,2}\.\d{2,4}$/;

/** A number may be shown in its local form, with a zero in place of the country. */
function isSame(digits: string, phone: string): boolean {
  return `+${digits}` === phone || (digits.startsWith("0") && phone.endsWith(digits.slice(1)));
}

/** True for words in the row of a picture's receiver, as "+1 more": they are somebody else. */
function isManifold({ node, box }: Seen, titles: readonly Seen[]): boolean {
  // A frame is drawn without its text.
  const text = node.nodes?.length ? "" : node.text ?? "";
  return text !== "" && box.bottom > box.top && numberOf(node) === null &&
    !/EditText$/.test(node.class ?? "") &&
    !node.is?.includes("clickable") &&
    titles.some((title) => title.box.top < box.bottom && title.box.bottom > box.top);
}

function lines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function contains(box: Seen["box"], { x, y }: { x: number; y: number }): boolean {
  return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
}

function middle({ left, top, right, bottom }: Seen["box"]): { x: number; y: number } {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}
