import { ACCOUNT } from "./account.ts";

/** More specific names first: every browser's header also contains the names of others. */
const BROWSERS: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/CrOS/, "ChromeOS"],
  [/Mac OS X|Macintosh/, "Mac"],
  [/Linux/, "Linux"],
];

/** Returns "Chrome ב־Windows" for a User-Agent header; unknown parts are left out. */
export function browserName(userAgent: string): string {
  const find = (names: [RegExp, string][]) => names.find(([mark]) => mark.test(userAgent))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser && system) return ACCOUNT.browserOn(browser, system);
  return browser ?? system ?? ACCOUNT.unknownBrowser;
}
