/**
 * The unknown screens that the running agent has in memory, with the names of their parts as the phone gave them: what a
 * person needs to write a screen file. They go over the site's own socket to a terminal, and are stored nowhere.
 */
import { z } from "zod";
import { parseAccount } from "../phone/phone.ts";
import type { UnknownScreen } from "../phone/screen_shape.ts";
import type { ScreenWords } from "../screens/screen_words.ts";

const MOST_SCREENS = 6;
const MOST_PARTS = 40;
const MOST_TEXTS = 6;
/** Signs that could move a terminal's cursor, and marks of direction. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

const line = (max: number) => z.string().max(max);

export const seenScreenSchema = z.object({
  account: line(200),
  fingerprint: line(24),
  kind: z.enum(["dialog", "screen", "row"]),
  window: line(160),
  /** Parts whose id no file names, top to bottom. */
  parts: z.array(z.object({ id: line(100), class: line(60), box: line(40) })).max(MOST_PARTS),
  /** The words of a dialog's own parts. */
  texts: z.array(line(200)).max(MOST_TEXTS),
});
export type SeenScreen = z.infer<typeof seenScreenSchema>;

/** The order of `screens seen`. */
export const seenOrderSchema = z.strictObject({ asks: z.literal("unknown_screens") });

/** Returns the screens that fit into one notice, each one once. */
export function seenScreens(
  unknown: Iterable<readonly [account: string, { screen: UnknownScreen; words: ScreenWords }]>,
): SeenScreen[] {
  const found = new Map<string, SeenScreen>();
  for (const [account, { screen, words }] of unknown) {
    if (found.size === MOST_SCREENS) break;
    if (!found.has(screen.fingerprint)) found.set(screen.fingerprint, seenScreen(account, screen, words));
  }
  return [...found.values()];
}

function seenScreen(account: string, screen: UnknownScreen, words: ScreenWords): SeenScreen {
  const { app } = parseAccount(account);
  const { fingerprint, kind, seen } = screen;
  const nodes = seen?.nodes.filter((node) => node.app === app || node.app === "") ?? [];
  const named = new Map(
    nodes.filter(({ id }) => id !== "" && !words.knowsId(id, app)).map((node) => [node.id, node]),
  );
  const isLabel = (id: string) =>
    words.ids("dialogMessage", app).includes(id) || id.startsWith("android:id/");
  const texts = kind === "dialog" ? nodes.filter(({ id, text }) => text !== "" && isLabel(id)) : [];
  return {
    account,
    fingerprint,
    kind,
    window: printable(seen?.activity ?? screen.window, 160),
    parts: [...named.values()].slice(0, MOST_PARTS).map(({ id, className, bounds }) => ({
      id: printable(id.startsWith(`${app}:id/`) ? id.slice(app.length + 4) : id, 100),
      class: printable(className.slice(className.lastIndexOf(".") + 1), 60),
      box: `[${bounds.left},${bounds.top}][${bounds.right},${bounds.bottom}]`.slice(0, 40),
    })),
    texts: texts.slice(0, MOST_TEXTS).map(({ text }) => printable(text, 200)),
  };
}

function printable(text: string, most: number): string {
  return text.replace(UNPRINTABLE, " ").slice(0, most);
}
