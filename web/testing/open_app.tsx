/** Opens the real application in a test page, against a real server with the fake edge. */
import { browserWindow } from "./browser_env.ts";
import assert from "node:assert/strict";
import { cleanup, configure, prettyDOM, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { MemoryRouter, useLocation } from "react-router-dom";
import { Providers } from "../providers.tsx";
import { AppRoutes } from "../router.tsx";
import { clearToasts } from "../ui/toast_store.ts";
import { FakeEdge } from "./fake_edge_api.ts";
import type { FakeUser } from "./fake_state.ts";

configure({
  // The default of one second is too short on a loaded machine, even for a screen's first import.
  asyncUtilTimeout: 60_000,
  // The default writes out the whole page each time that a wait looks in vain; withApp() does it once, at the end.
  getElementError: (message, container) => new Error(message ?? (prettyDOM(container) || "")),
});

export interface OpenApp {
  edge: FakeEdge;
  user: ReturnType<typeof userEvent.setup>;
  /** Resolves when the live channel is open and the refetch after its opening has ended. */
  untilLive: () => Promise<void>;
  /** Returns the address bar's content after the host. */
  address: () => string;
}

interface OpenOptions {
  /** Prepares the fake edge before the page opens. */
  prepare?: (edge: FakeEdge) => FakeUser | void;
  path: string;
}

/** Runs `use` with the application open at `path`, logged in as the user that `prepare` returns. */
export async function withApp({ prepare, path }: OpenOptions, use: (app: OpenApp) => Promise<void>) {
  const edge = new FakeEdge();
  const stop = new AbortController();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", signal: stop.signal, onListen() {} },
    edge.handle,
  );
  const base = `http://127.0.0.1:${server.addr.port}`;
  browserWindow.happyDOM.setURL(`${base}${path}`);
  const realFetch = globalThis.fetch;
  const jar = new Map<string, string>();
  const person = prepare?.(edge);
  if (person) {
    jar.set("shigur_session", edge.openSession(person));
    document.cookie = "shigur_hint=1; Path=/";
  }
  const fetchAsPage = fetchWithCookies(realFetch, base, jar);
  let underWay = 0;
  globalThis.fetch = (...asked) => {
    underWay += 1;
    return fetchAsPage(...asked).finally(() => underWay -= 1);
  };
  const untilLive = () =>
    waitFor(() => {
      const opened = edge.requests.lastIndexOf("GET /ws");
      assert.ok(edge.openSockets === 1 && edge.requests.indexOf("GET /api/auth/me", opened) > opened);
      assert.equal(underWay, 0);
    });
  let address = path;
  function AddressBar() {
    const { pathname, search, hash } = useLocation();
    address = pathname + search + hash;
    return null;
  }
  try {
    render(
      <MemoryRouter initialEntries={[path]}>
        <AddressBar />
        <Providers>
          <AppRoutes />
        </Providers>
      </MemoryRouter>,
    );
    await use({ edge, user: userEvent.setup(), untilLive, address: () => address });
  } catch (error) {
    if (error instanceof Error) error.message += `\n\n${prettyDOM()}`;
    throw error;
  } finally {
    cleanup();
    clearToasts();
    localStorage.clear();
    document.cookie = "shigur_hint=; Max-Age=0; Path=/";
    edge.closeSockets();
    stop.abort();
    await server.finished;
    globalThis.fetch = realFetch;
  }
}

/** Fills the proof dialog: the password, and a code if one is given. */
export async function prove(
  user: OpenApp["user"],
  { password = "sod-gadol", code }: { password?: string; code?: string } = {},
): Promise<void> {
  const dialog = within(await screen.findByRole("dialog", { name: "אישור בסיסמה" }));
  await user.type(dialog.getByLabelText("הסיסמה הנוכחית"), password);
  if (code !== undefined) await user.type(dialog.getByLabelText("קוד אימות"), code);
  await user.click(dialog.getByRole("button", { name: "אישור" }));
}

/** Returns the text of the toast with this title, once it is visible and no button is busy. */
export async function toastWith(title: string): Promise<string> {
  const shown = await screen.findByText(title, { selector: ".toast-card *" });
  const words = shown.closest(".toast-card")?.textContent ?? "";
  await untilIdle();
  return words;
}

/** Waits for a problem that stands in its place on the screen, with a title and a text. */
export async function alertWith(title: string, text: RegExp): Promise<void> {
  await waitFor(() => {
    const alerts = screen.getAllByRole("alert").map(({ textContent }) => textContent ?? "");
    assert.ok(alerts.some((words) => words.startsWith(`${title}.`) && text.test(words)), alerts.join("\n"));
  });
  await untilIdle();
}

/** Waits until no button is busy: a result can be shown earlier, and a busy button ignores clicks. */
export async function untilIdle(): Promise<void> {
  await waitFor(() => assert.ok(document.querySelector("button[aria-busy]") === null));
}

/** Returns a fetch like a browser's: it adds the page's address to a path, and the cookies. */
function fetchWithCookies(realFetch: typeof fetch, base: string, jar: Map<string, string>): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await realFetch(new URL(String(input), base), { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(";")[0].split("=");
      if (value) jar.set(name, value);
      else jar.delete(name);
      if (!cookie.includes("HttpOnly")) document.cookie = cookie;
    }
    return response;
  };
}
