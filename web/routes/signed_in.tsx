import { QueryClientProvider, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer, useRef, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import type { User } from "shared/http_api.ts";
import { currentUserQuery } from "../features/session/current_user.ts";
import { logOut } from "../features/session/log_out.ts";
import { takeUser } from "../features/session/login_handover.ts";
import { clearSessionHint } from "../features/session/session_hint.ts";
import { ApiError } from "../data/api_client.ts";
import type { LiveConnection, LiveState } from "../data/live_connection.ts";
import { PATHS } from "../paths.ts";
import { createQueryClient, SESSION_END } from "../data/query_client.ts";
import { NO_ANSWER } from "../text/error_text.ts";
import { SIGNED_IN } from "../text/signed_in.ts";
import { FailedBox } from "../ui/failed_box.tsx";
import { lazyPart } from "../ui/lazy_part.tsx";
import { Loading } from "../ui/loading.tsx";
import { DutyContext } from "../ui/may_do.ts";
import { showToast } from "../ui/toast_store.ts";
import type { SignedInContext } from "./signed_in_context.ts";

/** Poll interval of the quota while no event can bring it. */
const QUOTA_REFRESH_MS = 5000;

const KeepToastsClear = lazyPart(
  () => import("../ui/keep_toasts_clear.tsx").then((module) => module.KeepToastsClear),
  { isQuiet: true },
);

/** The frame of every signed-in screen; it owns session, query cache and live channel. */
export function Screen() {
  const [cache] = useState(() => {
    const made = createQueryClient(() => {
      if (made.getQueryData(currentUserQuery.queryKey)) {
        showToast({ title: SIGNED_IN.sessionOverTitle, description: SIGNED_IN.sessionOver, tone: "bad" });
      }
      made.setQueryData(currentUserQuery.queryKey, null);
    });
    // Another duty since the page was loaded: the screen hides what the server refuses now.
    made.getMutationCache().subscribe(({ mutation }) => {
      const error = mutation?.state.error;
      if (error instanceof ApiError && error.code === "not_allowed") {
        void made.invalidateQueries({ queryKey: currentUserQuery.queryKey });
      }
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
  const { pathname } = useLocation();
  // With a first password or without a required second factor, the server allows only calls of the own account.
  const isHeld = Boolean(me.data?.firstPassword || me.data?.lacksSecondFactor);
  const channel = useLiveEvents(isHeld ? undefined : me.data ?? undefined, setLive);
  const cache = useQueryClient();
  const end = useMutation({
    mutationKey: SESSION_END,
    onMutate: () => {
      // Close it before the server does: its close would be taken for a session that ended elsewhere.
      channel.close();
      return cache.cancelQueries();
    },
    mutationFn: logOut,
    onSuccess: () => {
      clearSessionHint();
      cache.setQueryData(currentUserQuery.queryKey, null);
    },
  });

  if (me.data === undefined) {
    if (!me.isError) return <Loading />;
    return (
      <main className="mx-auto max-w-md px-4 py-24">
        <FailedBox title={NO_ANSWER} error={null} onRetry={me.refetch} />
      </main>
    );
  }
  if (me.data === null) return <Navigate to={PATHS.login} replace />;
  if (isHeld && pathname !== PATHS.account) return <Navigate to={PATHS.account} replace />;
  if (pathname.startsWith(PATHS.admin) && me.data.role !== "admin") {
    return <Navigate to={PATHS.client} replace />;
  }

  const context: SignedInContext = {
    user: me.data,
    live: { state: live, reconnect: channel.reconnect, lastEventAt: channel.lastEventAt },
    leave: end.mutateAsync,
  };
  return (
    <>
      <DutyContext value={me.data.colleague?.duty ?? "owner"}>
        <Outlet context={context} />
      </DutyContext>
      <KeepToastsClear />
    </>
  );
}

/**
 * Keeps the live channel open while there is a user; returns functions to start and close it, and the time of its
 * last event.
 */
function useLiveEvents(
  user: User | undefined,
  onState: (state: LiveState) => void,
): Omit<SignedInContext["live"], "state"> & { close: () => void } {
  const cache = useQueryClient();
  const lastEventAt = useRef<number>(null);
  const connection = useRef<LiveConnection>(null);
  const present = useRef<AbortController>(null);
  const [opening, openAgain] = useReducer((tries: number) => tries + 1, 0);
  const userId = user?.id;
  useEffect(() => {
    if (userId === undefined) return;
    const gone = present.current = new AbortController();
    const onEvent = () => void (lastEventAt.current = Date.now());
    void import("./open_live_channel.ts").then(({ openLiveChannel }) => {
      if (gone.signal.aborted) return;
      const opened = openLiveChannel(cache, { onState, onEvent });
      connection.current = opened;
      gone.signal.addEventListener("abort", () => opened.close());
    }, () => onState("given_up"));
    return () => gone.abort();
  }, [userId, cache, onState, opening]);

  function reconnect() {
    if (connection.current) connection.current.reconnect();
    else openAgain();
  }
  return {
    reconnect,
    // Also ends a channel whose code is still loading.
    close: () => present.current?.abort(),
    lastEventAt: () => lastEventAt.current,
  };
}
