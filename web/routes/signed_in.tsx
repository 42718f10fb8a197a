import { QueryClientProvider, useQuery, useQueryClient } from "@tanstack/react-query";
import { RefreshCw, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import type { User } from "shared/http_api.ts";
import { applyEdits, editsFor, toastFor } from "../apply_live_event.ts";
import { currentUserQuery } from "../features/session/current_user.ts";
import { logOut } from "../features/session/log_out.ts";
import { takeUser } from "../features/session/login_handover.ts";
import { clearSessionHint } from "../features/session/session_hint.ts";
import { connectLive, type LiveConnection, type LiveState } from "../live_connection.ts";
import { PATHS } from "../paths.ts";
import { createQueryClient } from "../query_client.ts";
import { NO_ANSWER } from "../text/error_text.ts";
import { LOGIN } from "../text/login.ts";
import { SHELL } from "../text/shell.ts";
import { EmptyBox } from "../ui/empty_box.tsx";
import { Loading } from "../ui/loading.tsx";
import { showToast } from "../ui/toast_store.ts";
import type { SignedInContext } from "./signed_in_context.ts";

/** How often the quota is asked for while no event can bring it. */
const QUOTA_REFRESH_MS = 5000;

/** The frame of every screen behind the login: session, query cache and live channel live and die with it. */
export function Screen() {
  const [cache] = useState(() => {
    const made = createQueryClient(() => {
      if (made.getQueryData(currentUserQuery.queryKey)) {
        showToast({ title: LOGIN.sessionOverTitle, description: LOGIN.sessionOver, tone: "bad" });
      }
      made.setQueryData(currentUserQuery.queryKey, null);
    });
    const fresh = takeUser();
    if (fresh) made.setQueryData(currentUserQuery.queryKey, fresh);
    return made;
  });
  useEffect(() => () => cache.clear(), [cache]);
  return (
    <QueryClientProvider client={cache}>
      <Guarded />
    </QueryClientProvider>
  );
}

function Guarded() {
  const [live, setLive] = useState<LiveState>("connecting");
  const me = useQuery({
    ...currentUserQuery,
    refetchInterval: live === "given_up" ? QUOTA_REFRESH_MS : false,
  });
  const isAdminPath = useLocation().pathname.startsWith(PATHS.admin);
  const reconnect = useLiveEvents(me.data ?? undefined, setLive);
  const cache = useQueryClient();

  if (me.data === undefined) {
    if (!me.isError) return <Loading />;
    return (
      <main className="mx-auto max-w-md px-4 py-24">
        <EmptyBox
          icon={TriangleAlert}
          title={NO_ANSWER}
          action={
            <button
              type="button"
              className="btn btn-secondary btn-sm"
              onClick={() => void me.refetch()}
            >
              <RefreshCw className="size-4" />
              {SHELL.retry}
            </button>
          }
        />
      </main>
    );
  }
  if (me.data === null) return <Navigate to={PATHS.login} replace />;
  if (isAdminPath && me.data.role !== "admin") return <Navigate to={PATHS.client} replace />;

  const context: SignedInContext = {
    user: me.data,
    live: { state: live, reconnect },
    async leave() {
      await logOut();
      clearSessionHint();
      cache.setQueryData(currentUserQuery.queryKey, null);
    },
  };
  return <Outlet context={context} />;
}

/** Keeps the live channel open while there is a user; returns how to start it again. */
function useLiveEvents(user: User | undefined, onState: (state: LiveState) => void): () => void {
  const cache = useQueryClient();
  const connection = useRef<LiveConnection>(null);
  const userId = user?.id;
  useEffect(() => {
    if (userId === undefined) return;
    const opened = connectLive({
      url: `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`,
      openSocket: (url) => new WebSocket(url),
      schedule: (act, ms) => {
        const timer = setTimeout(act, ms);
        return () => clearTimeout(timer);
      },
      onEvent: (event) => {
        applyEdits(cache, editsFor(event));
        const toast = toastFor(event);
        if (toast) showToast(toast);
      },
      onOpen: () => void cache.invalidateQueries(),
      onState,
      // deno-lint-ignore no-console -- a lost live channel is told in the console and by the notice alone
      log: (message, detail) => console.debug(message, detail ?? ""),
    });
    connection.current = opened;
    return () => opened.close();
  }, [userId, cache, onState]);
  return () => connection.current?.reconnect();
}
