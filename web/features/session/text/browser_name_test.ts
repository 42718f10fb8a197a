import assert from "node:assert/strict";
import { browserName } from "./browser_name.ts";

const AGENTS: Record<string, string> = {
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36":
    "Chrome ב־Windows",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0":
    "Edge ב־Windows",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1":
    "Safari ב־iPhone",
  "Mozilla/5.0 (Linux; Android 14; SM-G991B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36":
    "Samsung Internet ב־Android",
  "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0": "Firefox ב־Linux",
  "curl/8.5.0": "דפדפן לא מזוהה",
  "": "דפדפן לא מזוהה",
};

Deno.test("browserName() names the browser and the system of a User-Agent header", () => {
  for (const [userAgent, name] of Object.entries(AGENTS)) assert.equal(browserName(userAgent), name);
});
