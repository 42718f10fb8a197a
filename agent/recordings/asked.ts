/** Names the kind of a command that the agent sends to a phone. */
import type { Asked } from "./recording.ts";

/** In this order: a command may hold several of these. */
const KINDS: readonly [RegExp, Asked][] = [
  [/\/random\/uuid >|^pgrep /, "fence"],
  [/up=\\?\$\{up%%/, "tap"],
  [/-a android\.intent\.action\.SEND /, "open_picture"],
  [/-a android\.intent\.action\.VIEW -d '?https:\/\/wa\.me\//, "open_chat"],
  [/uiautomator dump/, "read"],
  [/input keyevent 224/, "wake"],
  [/input tap -?\d+ -?\d+; input keyevent/, "clear_draft"],
  [/input tap/, "press"],
  [/input keyevent 4\b/, "back"],
  [/am force-stop/, "stop_app"],
  [/-c android\.intent\.category\.HOME/, "home"],
  [/cat \/proc\/uptime/, "uptime"],
  [/date \+%M:%S/, "date"],
  [/^(?:rm -f|stat -c) /, "place_image"],
];

/** Returns the kind of a command, "other" for a command that no flow gives. */
export function askedBy(command: string): Asked {
  return KINDS.find(([pattern]) => pattern.test(command))?.[1] ?? "other";
}
