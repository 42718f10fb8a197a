/** Defines a browser's globals for tests; import it before any module that uses `document`. */
import { Window } from "happy-dom";

/** The page of this test file; its address is set when a server starts. */
export const browserWindow = new Window({ url: "http://127.0.0.1/" });

/** Globals that Deno has too, but the page needs its own. Not Event: Deno closes its sockets with its own Event. */
const REPLACED = ["CustomEvent", "localStorage", "location", "navigator"];

const page = browserWindow as unknown as Record<string, unknown>;
for (const name of Object.getOwnPropertyNames(browserWindow)) {
  if (name in globalThis && !REPLACED.includes(name)) continue;
  Object.defineProperty(globalThis, name, { value: page[name], configurable: true, writable: true });
}
for (const name of [...REPLACED, "document", "history", "getComputedStyle", "requestAnimationFrame"]) {
  Object.defineProperty(globalThis, name, { value: page[name], configurable: true, writable: true });
}
// The test page has no layout; a virtual list needs a window and rows with a height to show its first rows.
for (const [name, px] of [["clientHeight", 600], ["clientWidth", 600], ["offsetHeight", 60]] as const) {
  Object.defineProperty(browserWindow.HTMLElement.prototype, name, { get: () => px });
}
Object.assign(globalThis, {
  window: globalThis,
  IS_REACT_ACT_ENVIRONMENT: true,
  cancelAnimationFrame: browserWindow.cancelAnimationFrame.bind(browserWindow),
  scrollTo: () => {},
});
// With these, React records each render for a browser's profiler.
Object.assign(console, { timeStamp: undefined, createTask: undefined });
